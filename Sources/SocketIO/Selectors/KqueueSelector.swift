#if canImport(Darwin)
    import Darwin

    /// Darwin's kqueue with a user event for wake-ups.
    ///
    /// Reading and writing are two filters of a descriptor; both carry the registration's token. ``Interest/peerEnd`` has
    /// no filter of its own here: a filter that fires at the end of stream only would need a low-water mark above the
    /// receive buffer, which the kernel lowers again.
    /// A class, because it owns kernel objects and a buffer that the kernel fills.
    final class KqueueSelector: Selector {
        private let queue: Descriptor
        private var buffer: [kevent]

        var waker: any Waker { UserEvent(queue: queue) }

        init() throws(SystemError) {
            let number = kqueue()
            guard number != -1 else { throw SystemError("kqueue", Platform.lastError) }
            queue = Descriptor(adopting: number)
            buffer = Array(repeating: kevent(), count: 64)
            // Not inherited by fork; but the flag is what `exec` looks at.
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            // EV_CLEAR: delivering the event silences it.
            let alarm = UserEvent.change(flags: EV_ADD | EV_CLEAR, filterFlags: 0)
            try apply([alarm])
        }

        func add(_ token: RegistrationToken, _ interest: Interest) throws(SystemError) {
            try change(token, from: [], to: interest)
        }

        func change(_ token: RegistrationToken, from old: Interest, to new: Interest) throws(SystemError) {
            var changes: [kevent] = []
            for (interest, filter) in [(Interest.read, EVFILT_READ), (.write, EVFILT_WRITE)]
            where old.contains(interest) != new.contains(interest) {
                changes.append(filterChange(token, filter, flags: new.contains(interest) ? EV_ADD : EV_DELETE))
            }
            try apply(changes)
        }

        func remove(_ token: RegistrationToken, _ interest: Interest) {
            // Fails only when the descriptor is gone, and its filters went with it.
            try? change(token, from: interest, to: [])
        }

        func wait(nanoseconds: UInt64?, into events: inout [SelectorEvent]) throws(SystemError) {
            events.removeAll(keepingCapacity: true)
            let capacity = Int32(clamping: buffer.count)
            let count: Int32
            if let nanoseconds {
                // The kernel refuses spans beyond its own range; a day is within it, and the loop simply waits again.
                let bounded = min(nanoseconds, 86_400_000_000_000)
                var span = timespec(tv_sec: Int(bounded / 1_000_000_000), tv_nsec: Int(bounded % 1_000_000_000))
                count = kevent(queue.number, nil, 0, &buffer, capacity, &span)
            } else {
                count = kevent(queue.number, nil, 0, &buffer, capacity, nil)
            }
            guard count >= 0 else {
                let error = Platform.lastError
                if error.meansInterrupted { return }
                throw SystemError("kevent", error)
            }
            for event in buffer.prefix(Int(count)) where Int32(event.filter) != EVFILT_USER {
                let packed = UInt64(UInt(bitPattern: event.udata))
                events.append(SelectorEvent(token: RegistrationToken(packed: packed), readiness: readiness(event)))
            }
            if Int(count) == buffer.count {
                buffer = Array(repeating: kevent(), count: buffer.count * 2)
            }
        }

        /// The end of stream is told as something to read, and reading tells which end it was.
        private func readiness(_ event: kevent) -> Readiness {
            if Int32(event.flags) & EV_ERROR != 0 { return .hangup }
            switch Int32(event.filter) {
            case EVFILT_READ: return .read
            case EVFILT_WRITE: return Int32(event.flags) & EV_EOF != 0 ? [.write, .hangup] : .write
            default: return []
            }
        }

        private func filterChange(_ token: RegistrationToken, _ filter: Int32, flags: Int32) -> kevent {
            kevent(
                ident: UInt(UInt32(bitPattern: token.descriptor)),
                filter: Int16(filter),
                flags: UInt16(flags),
                fflags: 0,
                data: 0,
                udata: UnsafeMutableRawPointer(bitPattern: UInt(token.packed))
            )
        }

        private func apply(_ changes: [kevent]) throws(SystemError) {
            if changes.isEmpty { return }
            let result = kevent(queue.number, changes, Int32(changes.count), nil, 0, nil)
            // An interrupted call that changes only has applied its changes (kqueue(2), EINTR).
            if result == -1, errno != EINTR { throw SystemError("kevent", Platform.lastError) }
        }
    }

    private struct UserEvent: Waker {
        let queue: Descriptor

        func wake() {
            var event = UserEvent.change(flags: 0, filterFlags: UInt32(NOTE_TRIGGER))
            _ = kevent(queue.number, &event, 1, nil, 0, nil)
        }

        static func change(flags: Int32, filterFlags: UInt32) -> kevent {
            kevent(
                ident: 0,
                filter: Int16(EVFILT_USER),
                flags: UInt16(flags),
                fflags: filterFlags,
                data: 0,
                udata: nil
            )
        }
    }
#endif
