// What Linux offers and Swift's Glibc and Musl modules leave out. Empty on every other platform.
#pragma once

#if defined(__linux__)

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

// All are hidden unless _GNU_SOURCE is defined.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
extern long syscall(long number, ...);

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef POLLRDHUP
#define POLLRDHUP 0x2000
#endif

// Flags as plain numbers: the C library declares some as enumerators and some as macros, and Swift sees two types.
static const uint32_t clinux_epoll_in = 0x001;
static const uint32_t clinux_epoll_out = 0x004;
static const uint32_t clinux_epoll_err = 0x008;
static const uint32_t clinux_epoll_hup = 0x010;
static const uint32_t clinux_epoll_rdhup = 0x2000;
static const int16_t clinux_poll_rdhup = POLLRDHUP;
static const int clinux_epoll_cloexec = EPOLL_CLOEXEC;
static const int clinux_msg_nosignal = MSG_NOSIGNAL;
static const int clinux_eventfd_flags = EFD_CLOEXEC | EFD_NONBLOCK;

// The kernel's own form of a time span, 64 bits wide on every architecture.
struct clinux_timespan {
    int64_t seconds;
    int64_t nanoseconds;
};

// epoll_wait with nanoseconds (Linux 5.11). Called by number, because C libraries before glibc 2.35 lack the wrapper;
// an older kernel answers ENOSYS.
static inline int clinux_epoll_pwait2(
    int descriptor, struct epoll_event *events, int capacity, const struct clinux_timespan *timeout
) {
    return (int)syscall(SYS_epoll_pwait2, descriptor, events, capacity, timeout, (void *)0, (unsigned long)8);
}

#endif
