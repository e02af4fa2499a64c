"""Broken platform files by the thousand: each is read as a platform or refused with a RotaError.

In the suite as test_platform_files.py calls it; by hand, for as many as there is time for:

    python tests/python/platform_fuzz.py 1000000 [seed]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from rota.errors import RotaError
from rota.platforms.files import platform_in

CPU_S = 20.0
"""More processor time for one small file counts as a hang."""

SIMGRID = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config id="General"><prop id="network/model" value="CM02"/></config>
  <zone id="world" routing="Full">
    <zone id="left" routing="Floyd">
      <host id="a" speed="1Gf,0.5Gf" pstate="1" core="4"><prop id="rota.task" value="1/500000000"/></host>
      <host id="b" speed="98.095Mf"/>
      <router id="gate"/>
      <link id="l1" bandwidth="125MBps" latency="50us" sharing_policy="SPLITDUPLEX"/>
      <link id="l2" bandwidth="1Gbps" latency="50us"/>
      <route src="a" dst="gate"><link_ctn id="l1" direction="UP"/><link_ctn id="l2"/></route>
      <route src="b" dst="gate" symmetrical="NO"><link_ctn id="l2"/></route>
      <bypassRoute src="a" dst="b"><link_ctn id="l2"/></bypassRoute>
    </zone>
    <cluster id="c" prefix="n" suffix="." radical="0-3,7" speed="1Gf" bw="125MBps" lat="50us"
             bb_bw="200MBps" bb_lat="0" router_id="r"/>
    <zone id="star" routing="Cluster">
      <cabinet id="k" prefix="m" suffix="" radical="1-2" speed="1Gf" bw="1MBps" lat="1ms"/>
      <host id="e" speed="2e9"/><link id="up" bandwidth="8kbps"/><host_link id="e" up="up" down="up"/>
      <router id="hub"/><backbone id="bb" bandwidth="3MBps" latency="0"/>
    </zone>
    <link id="w" bandwidth="10MBps" latency="10ms"/>
    <zoneRoute src="left" dst="c" gw_src="gate" gw_dst="r"><link_ctn id="w"/></zoneRoute>
    <zoneRoute src="star" dst="c" gw_src="hub" gw_dst="r"><link_ctn id="w"/></zoneRoute>
  </zone>
</platform>
"""

GRAPHML = """<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="cost" attr.type="double"/>
  <key id="d1" for="node" attr.name="task" attr.type="string"/>
  <graph edgedefault="undirected">
    <node id="a"><data key="d1">1/2</data></node><node id="b"/><node id="c"/>
    <edge source="a" target="b"><data key="d0">0.1</data></edge>
    <edge source="b" target="c" directed="true"><data key="d0">2</data></edge>
  </graph>
</graphml>
"""

JSON = """{"directed": true, "multigraph": false, "graph": {"name": "x", "measured_in": "units"},
 "nodes": [{"id": "Ps"}, {"id": "Pa", "task": 0.5}, {"id": 3, "task": "2/3"}],
 "links": [{"source": "Ps", "target": "Pa", "cost": "2/3"}, {"source": "Pa", "target": 3, "cost": 1e-3}]}
"""

TOML = """name = "two hosts"
measured-in = "physical"
nodes = [
  { name = "a", speed = "1Gf" },
  { name = "b", speed = 2e9 },
  { name = "r" },
]
links = [
  { between = ["a", "r"], bandwidth = "125MBps" },
  { from = "r", to = "b", bandwidth = 0x10 },
]
"""

SEEDS = {"p.xml": SIMGRID, "p.graphml": GRAPHML, "p.json": JSON, "p.toml": TOML}

NASTY = [
    *(
        "1e999999",
        "1e-999999999",
        "-1",
        "0",
        "NaN",
        "inf",
        "Infinity",
        "-0.0",
        "1/0",
        "9" * 5000,
        "1e400",
        "",
        " ",
    ),
    *("0x" + "f" * 6000, "1_0", "\u0661", "true", "null", "[]", "{}", "[" * 5000, "{" * 300, '{"a":' * 2000),
    *(
        "<a>" * 3000,
        "</zone>",
        "<zone id='z' routing='Full'>",
        "<include file='p.xml'/>",
        "&lol;",
        "&#0;",
        "a&#10;b",
        "&#155;31m",
        "\x9b31m",
        "]]>",
    ),
    *('<!DOCTYPE a [<!ENTITY b "c">]>', '<!ENTITY b SYSTEM "file:///etc/passwd">', "<!-- ", "<![CDATA["),
    *(
        "0-99999999",
        "0-9999",
        "5-1",
        "1,,2",
        "YES",
        "Vivaldi",
        "TORUS",
        "FATPIPE",
        "WIFI",
        "a",
        "gate",
        "\x00",
    ),
    *(
        "\ud7ff",
        "\u202e",
        "a." * 900,
        "'",
        '"',
        "\\",
        "\n",
        "\r",
        "=",
        ",",
        ":",
        "</platform>",
        "<platform version='4'>",
    ),
]


def broken(random: Random) -> tuple[str, bytes]:
    """Return a file's name and what is left of a good file after a few mutations."""
    name = random.choice(list(SEEDS))
    content = SEEDS[name].encode()
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        content = _mutated(content, random)
    # The end of the name says how it is read: now and then it lies.
    return (random.choice([*SEEDS, "p.dat"]) if random.random() < 0.05 else name), content


def _mutated(content: bytes, random: Random) -> bytes:
    first, last = sorted(random.randrange(len(content) + 1) for _ in range(2))
    short = min(last, first + random.randrange(1, 20))
    nasty = random.choice(NASTY).encode()
    match random.randrange(7):
        case 0:
            return content[:first] + bytes([random.randrange(256)]) + content[first + 1 :]
        case 1:
            return content[:first] + content[short:]
        case 2:
            return content[:first] + nasty + content[first:]
        case 3:
            return content[:last] + content[first:last] + content[last:]
        case 4:
            return content[:first] + random.choice(list(SEEDS.values())).encode()[short:]
        case _:
            return _with_word_replaced(content, nasty, random)


def _with_word_replaced(content: bytes, nasty: bytes, random: Random) -> bytes:
    """Replace what stands between quotes, or a number."""
    marks = [place for place, letter in enumerate(content) if letter in b"\"'"]
    if len(marks) < 2:
        return content + nasty
    first = random.randrange(len(marks) - 1)
    return content[: marks[first] + 1] + nasty + content[marks[first + 1] :]


def run(count: int, seed: int, folder: Path) -> Counter[str]:
    """Read so many broken files; return how many were read as platforms and how many refused."""
    random = Random(seed)  # noqa: S311 - no secrets here
    (folder / "p.xml").write_text(SIMGRID)
    found: Counter[str] = Counter()
    for number in range(count):
        name, content = broken(random)
        before = time.process_time()
        try:
            platform_in(content, folder / name)
            message = ""
            found["platforms"] += 1
        except RotaError as fault:
            message = str(fault)
            found["refused"] += 1
        except Exception as fault:
            raise AssertionError(f"file {number} of seed {seed}: {name} {content[:3000]!r}") from fault
        assert message.isprintable(), (number, seed, message)
        assert len(message) < 400, (number, seed, message)
        assert time.process_time() - before < CPU_S, (number, seed, name, content)
    return found


if __name__ == "__main__":
    import tempfile

    total, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        print(dict(run(total, seed, Path(folder))), f"{time.perf_counter() - started:.0f} s")
