// io_submit and its like, as the kernel has them.
#ifndef AIO_H
#define AIO_H

#include <errno.h>
#include <linux/aio_abi.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

inline long Setup(unsigned count, aio_context_t *context) {
  return syscall(SYS_io_setup, count, context);
}
inline long Destroy(aio_context_t context) { return syscall(SYS_io_destroy, context); }
inline long Submit(aio_context_t context, iocb *request) {
  return syscall(SYS_io_submit, context, 1l, &request);
}
inline long GetEvents(aio_context_t context, long least, long most, io_event *events,
                      timespec *limit = nullptr) {
  return syscall(SYS_io_getevents, context, least, most, events, limit);
}
inline iocb Request(int opcode, int fd, const void *data, size_t size, long long offset = 0) {
  iocb request = {};
  request.aio_lio_opcode = opcode;
  request.aio_fildes = fd;
  request.aio_buf = reinterpret_cast<__u64>(data);
  request.aio_nbytes = size;
  request.aio_offset = offset;
  return request;
}

#endif // AIO_H
