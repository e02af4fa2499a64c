-- An environment module (Lmod): put it into a folder of MODULEPATH as rota/0.1.0.lua, and say where `pip install --prefix` has put Rota.
help([[Collective communication with schedules that are provably the best.
`rota run` starts programs with it; `rota lib` prints what batch scripts preload; `man rota`.]])
whatis("Name: Rota")
whatis("Version: 0.1.0")
whatis("Description: collective communication with provably best schedules, under unmodified MPI programs")

local root = os.getenv("ROTA_ROOT") or "/opt/rota"
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
prepend_path("CMAKE_PREFIX_PATH", root)
