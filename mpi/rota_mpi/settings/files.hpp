// Where what a job shows and learns goes: the files that the user names.
#pragma once

#include <cstdint>
#include <string>

namespace rota::mpi {

/// Files that are written at the end are named from the folder in which the program began MPI, wherever it is
/// by then: this remembers it.
void remember_start_folder();

/// From now on those of the report and the trace have this number in their names, of a job that another one
/// has started: it writes beside that one's, and not over them. 0: they have none.
void number_files(std::int64_t number);

/// Where the report goes: empty for standard error.
std::string report_file();

/// Where the trace goes; empty: there is none.
std::string trace_file();

/// Where what trials have shown goes; empty: nowhere.
std::string learn_file();

}  // namespace rota::mpi
