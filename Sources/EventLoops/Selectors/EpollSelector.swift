#if os(Linux)
    import CLinux
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// Linux's epoll with an eventfd for wake-ups.
    ///
    /// A class, because it owns kernel objects and a buffer that the kernel fills.
    final class EpollSelector: Selector {
        private let epoll: Descriptor
        private let alarm: EventDescriptor
        /// Has room for everything that is watched, so that no event is left for the next wait.
        private var buffer: [clinux_epoll_event]
        /// The number of descriptors that are watched, the alarm's among them.
        private var count = 1
        /// Kernels before 5.11 know whole milliseconds only.
        private var hasNanoseconds = true

        var waker: any Waker { alarm }

        init() throws(SystemError) {
            let number = clinux_epoll_create1(clinux_epoll_cloexec)
            guard number != -1 else { throw SystemError("epoll_create1", Platform.lastError) }
            epoll = Descriptor(adopting: number)
            alarm = try EventDescriptor()
            buffer = Array(repeating: clinux_epoll_event(), count: 64)
            try control(clinux_epoll_ctl_add, alarm.descriptor.number, clinux_epoll_in, .wakeUp)
        }

        func add(_ token: RegistrationToken, _ interest: Interest) throws(SystemError) {
            try control(clinux_epoll_ctl_add, token.descriptor, mask(interest), token)
            count += 1
            if count > buffer.count { buffer = Array(repeating: clinux_epoll_event(), count: count * 2) }
        }

        func change(_ token: RegistrationToken, from old: Interest, to new: Interest) throws(SystemError) {
            try control(clinux_epoll_ctl_mod, token.descriptor, mask(new), token)
        }

        func remove(_ token: RegistrationToken, _ interest: Interest) {
            // Fails only when the descriptor is gone, and then there is nothing left to remove.
            try? control(clinux_epoll_ctl_del, token.descriptor, 0, token)
            count -= 1
        }

        func wait(nanoseconds: UInt64?, into events: inout [SelectorEvent]) throws(SystemError) {
            events.removeAll(keepingCapacity: true)
            let count = Int(waitForEvents(nanoseconds))
            guard count >= 0 else {
                let error = Platform.lastError
                if error.meansInterrupted { return }
                throw SystemError("epoll_wait", error)
            }
            for index in 0..<count {
                let token = RegistrationToken(packed: buffer[index].data)
                if token == .wakeUp {
                    alarm.silence()
                } else {
                    events.append(SelectorEvent(token: token, readiness: readiness(buffer[index].events)))
                }
            }
        }

        private func waitForEvents(_ nanoseconds: UInt64?) -> Int32 {
            let capacity = Int32(clamping: buffer.count)
            guard let nanoseconds else { return clinux_epoll_wait(epoll.number, &buffer, capacity, -1) }
            if nanoseconds == 0 { return clinux_epoll_wait(epoll.number, &buffer, capacity, 0) }
            if hasNanoseconds {
                // Bounded by a day, well within what the kernel accepts; the loop simply waits again.
                let bounded = min(nanoseconds, 86_400_000_000_000)
                var span = clinux_timespan(
                    seconds: Int64(bounded / 1_000_000_000),
                    nanoseconds: Int64(bounded % 1_000_000_000)
                )
                let result = clinux_epoll_pwait2(epoll.number, &buffer, capacity, &span)
                if result >= 0 || errno != ENOSYS && errno != EPERM { return result }
                hasNanoseconds = false
            }
            // Rounded up: a timer may be late by a part of a millisecond, never early.
            let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
            return clinux_epoll_wait(epoll.number, &buffer, capacity, Int32(clamping: milliseconds))
        }

        private func control(
            _ operation: Int32,
            _ descriptor: Int32,
            _ mask: UInt32,
            _ token: RegistrationToken
        ) throws(SystemError) {
            var event = clinux_epoll_event(events: mask, data: token.packed)
            guard clinux_epoll_ctl(epoll.number, operation, descriptor, &event) == 0 else {
                throw SystemError("epoll_ctl", Platform.lastError)
            }
        }

        private func mask(_ interest: Interest) -> UInt32 {
            var mask: UInt32 = 0
            if interest.contains(.read) { mask |= clinux_epoll_in }
            if interest.contains(.write) { mask |= clinux_epoll_out }
            if interest.contains(.peerEnd) { mask |= clinux_epoll_rdhup }
            return mask
        }

        private func readiness(_ mask: UInt32) -> Readiness {
            var readiness: Readiness = []
            if mask & clinux_epoll_in != 0 { readiness.insert(.read) }
            if mask & clinux_epoll_out != 0 { readiness.insert(.write) }
            if mask & clinux_epoll_rdhup != 0 { readiness.insert(.peerEnd) }
            if mask & (clinux_epoll_err | clinux_epoll_hup) != 0 { readiness.insert(.hangup) }
            return readiness
        }
    }

    /// A counter in the kernel that is readable while it is not zero.
    private struct EventDescriptor: Waker {
        let descriptor: Descriptor

        init() throws(SystemError) {
            let number = clinux_eventfd(0, clinux_cloexec_nonblock)
            guard number != -1 else { throw SystemError("eventfd", Platform.lastError) }
            descriptor = Descriptor(adopting: number)
        }

        func wake() {
            var one: UInt64 = 1
            // Would block only when the counter is full, and then it is readable already.
            _ = Platform.repeating { write(descriptor.number, &one, 8) }
        }

        func silence() {
            var count: UInt64 = 0
            _ = Platform.repeating { read(descriptor.number, &count, 8) }
        }
    }
#endif
