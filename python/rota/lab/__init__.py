"""The lab: an emulated cluster on one machine, whose links have set rates.

Every host is a set of Linux namespaces with one full-duplex link to a switch. What runs over the hosts is
the real MPI library over real TCP; the links, not this machine's cores, are what limits it.

    with Lab(LabSpec.uniform(hosts=16, rate_bits_per_s=200_000_000)) as lab:
        status = lab.run(with_rota(native_job(["./app"])))
"""

from rota.lab.session import Lab, Link
from rota.lab.spec import LabSpec, burst_bytes, least_seconds

__all__ = ["Lab", "LabSpec", "Link", "burst_bytes", "least_seconds"]
