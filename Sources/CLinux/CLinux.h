// What Linux offers and Swift's Glibc and Musl modules leave out. Empty on every other platform.
//
// No system header is included: what such a header declares would seem to Swift to come from this module, and every
// file that touches a sockaddr would have to import it. So the kernel's stable interface is declared here under names
// of our own; the assembler labels bind them to the C library.
#pragma once

#if defined(__linux__)

#include <stdint.h>

// One event of epoll. The kernel packs it on x86-64 and nowhere else.
struct clinux_epoll_event {
    uint32_t events;
    uint64_t data;
}
#if defined(__x86_64__)
__attribute__((packed))
#endif
;

// The kernel's own form of a time span, 64 bits wide on every architecture.
struct clinux_timespan {
    int64_t seconds;
    int64_t nanoseconds;
};

// The C library's form.
struct clinux_timespec {
    long seconds;
    long nanoseconds;
};

int clinux_epoll_create1(int flags) __asm__("epoll_create1");
int clinux_epoll_ctl(int epoll, int operation, int descriptor, struct clinux_epoll_event *event) __asm__("epoll_ctl");
int clinux_epoll_wait(int epoll, struct clinux_epoll_event *events, int capacity, int milliseconds)
    __asm__("epoll_wait");
int clinux_eventfd(unsigned int value, int flags) __asm__("eventfd");
int clinux_accept4(int descriptor, void *address, uint32_t *length, int flags) __asm__("accept4");
int clinux_ppoll(void *entries, unsigned long count, const struct clinux_timespec *timeout, const void *mask)
    __asm__("ppoll");
long clinux_syscall(long number, ...) __asm__("syscall");

// epoll_wait with nanoseconds (Linux 5.11). Called by number, because C libraries before glibc 2.35 lack the wrapper;
// an older kernel answers ENOSYS.
static inline int clinux_epoll_pwait2(
    int epoll, struct clinux_epoll_event *events, int capacity, const struct clinux_timespan *timeout
) {
    return (int)clinux_syscall(441L, (long)epoll, events, (long)capacity, timeout, (void *)0, 8L);
}

unsigned long clinux_pthread_self(void) __asm__("pthread_self");
int clinux_pthread_getattr(unsigned long thread, void *attributes) __asm__("pthread_getattr_np");
int clinux_pthread_attr_getstack(const void *attributes, void **lowest, unsigned long *size)
    __asm__("pthread_attr_getstack");
int clinux_pthread_attr_destroy(void *attributes) __asm__("pthread_attr_destroy");

// Sets the working folder of a program that is about to be started (glibc 2.29, musl 1.1.24). The headers declare it for
// _GNU_SOURCE only, which Swift's modules are built without.
int clinux_spawn_addchdir(void *actions, const char *path) __asm__("posix_spawn_file_actions_addchdir_np");

// The lowest address of the running thread's stack; NULL when the system does not tell. The attributes take 64 bytes at
// most in any C library, and are given twice that.
static inline void *clinux_stack_end(void) {
    unsigned long attributes[128 / sizeof(unsigned long)] = {0};
    void *lowest = (void *)0;
    unsigned long size = 0;
    if (clinux_pthread_getattr(clinux_pthread_self(), attributes) != 0) return lowest;
    if (clinux_pthread_attr_getstack(attributes, &lowest, &size) != 0) lowest = (void *)0;
    clinux_pthread_attr_destroy(attributes);
    return lowest;
}

static const int clinux_epoll_cloexec = 02000000;
static const int clinux_epoll_ctl_add = 1;
static const int clinux_epoll_ctl_del = 2;
static const int clinux_epoll_ctl_mod = 3;

static const uint32_t clinux_epoll_in = 0x001;
static const uint32_t clinux_epoll_out = 0x004;
static const uint32_t clinux_epoll_err = 0x008;
static const uint32_t clinux_epoll_hup = 0x010;
static const uint32_t clinux_epoll_rdhup = 0x2000;

static const int16_t clinux_poll_rdhup = 0x2000;

// EFD_CLOEXEC and EFD_NONBLOCK, SOCK_CLOEXEC and SOCK_NONBLOCK: the same bits.
static const int clinux_cloexec_nonblock = 02000000 | 04000;
static const int clinux_msg_nosignal = 0x4000;

#endif
