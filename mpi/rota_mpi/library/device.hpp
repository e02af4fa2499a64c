// Memory of devices (GPUs): does this process's MPI library take pointers to it, and is this such a pointer?
//
// A schedule moves blocks with memmove and combines them with MPI_Reduce_local, on the host. Where the MPI
// library takes pointers to a device's memory, a legal program may pass them: the ranks have to find out before
// they play a schedule.
#pragma once

namespace rota::mpi {

/// May programs pass this process's MPI library pointers to device memory? What the library says for each
/// kind of device that it can be asked about; of any other kind, whether the process has loaded the device's
/// driver. To be asked after MPI_Init: a library that uses devices has loaded their drivers then.
bool is_mpi_device_aware();

/// Does the data at this address belong to a device: is it in its own memory, or in memory that moves between
/// it and the host? False in a process that has loaded no driver, and for nullptr. There must be data: ask
/// about its first byte, not about MPI_BOTTOM or about a buffer that is not looked at. Loads no driver. Any
/// thread may ask. Throws std::bad_alloc.
bool is_device_memory(const void* address);

}  // namespace rota::mpi
