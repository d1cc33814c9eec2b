#if canImport(Darwin)
    import Darwin

    /// Darwin's kqueue with a user event for wake-ups.
    ///
    /// Reading and writing are two filters of a descriptor; both carry the registration's token. ``KqueueFilters`` says
    /// which of them an interest needs.
    /// A class, because it owns kernel objects and a buffer that the kernel fills.
    final class KqueueSelector: Selector {
        private let queue: Descriptor
        /// Has room for both filters of everything that is watched, so that no event is left for the next wait.
        private var buffer: [kevent]
        /// The number of descriptors that are watched.
        private var count = 0

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
            try apply(KqueueFilters.changes(from: nil, to: interest), to: token)
            count += 1
            // One more for the alarm.
            if 2 * count + 1 > buffer.count { buffer = Array(repeating: kevent(), count: 4 * count) }
        }

        func change(_ token: RegistrationToken, from old: Interest, to new: Interest) throws(SystemError) {
            try apply(KqueueFilters.changes(from: old, to: new), to: token)
        }

        func remove(_ token: RegistrationToken, _ interest: Interest) {
            // Fails only when the descriptor is gone, and its filters went with it.
            try? apply(KqueueFilters.changes(from: interest, to: nil), to: token)
            count -= 1
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
                let readiness = readiness(event)
                if readiness.isEmpty { continue }
                events.append(SelectorEvent(token: RegistrationToken(packed: packed), readiness: readiness))
            }
        }

        private func readiness(_ event: kevent) -> Readiness {
            let flags = Int32(event.flags)
            if flags & EV_ERROR != 0 { return .hangup }
            return KqueueFilters.readiness(
                Int32(event.filter) == EVFILT_WRITE ? .write : .read,
                isEdgeTriggered: flags & EV_CLEAR != 0,
                isEnd: flags & EV_EOF != 0,
                // For sockets, the socket's error where EV_EOF is set (kqueue(2)).
                hasError: event.fflags != 0
            )
        }

        private func apply(_ changes: [KqueueFilters.Change], to token: RegistrationToken) throws(SystemError) {
            try apply(
                changes.map { change in
                    let (filter, flags): (KqueueFilters.Filter, Int32) =
                        switch change {
                        case .add(let filter, let isEdgeTriggered):
                            (filter, isEdgeTriggered ? EV_ADD | EV_CLEAR : EV_ADD)
                        case .delete(let filter): (filter, EV_DELETE)
                        }
                    return kevent(
                        ident: UInt(UInt32(bitPattern: token.descriptor)),
                        filter: Int16(filter == .read ? EVFILT_READ : EVFILT_WRITE),
                        flags: UInt16(flags),
                        fflags: 0,
                        data: 0,
                        udata: UnsafeMutableRawPointer(bitPattern: UInt(token.packed))
                    )
                }
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

/// Which of kqueue's filters a descriptor needs, and what their events mean: the part of ``KqueueSelector`` that needs
/// no kernel.
///
/// The filter for reading is always there. Without a reader it is edge-triggered (`EV_CLEAR`): it fires once for the
/// bytes that wait and again for the end of stream, and is evaluated with its flags only, so that bytes that are not
/// read do not keep the loop busy. So the end of stream and a reset are reported as on Linux.
enum KqueueFilters {
    enum Filter: Hashable {
        case read
        case write
    }

    enum Change: Hashable {
        case add(Filter, isEdgeTriggered: Bool)
        case delete(Filter)
    }

    /// The changes for the kernel when the interest changes; `nil` means a descriptor that is not registered.
    ///
    /// The kernel need not adopt a new trigger of an existing filter, so the filter is deleted first.
    static func changes(from old: Interest?, to new: Interest?) -> [Change] {
        var changes: [Change] = []
        if old.map({ $0.contains(.read) }) != new.map({ $0.contains(.read) }) {
            if old != nil { changes.append(.delete(.read)) }
            if let new { changes.append(.add(.read, isEdgeTriggered: !new.contains(.read))) }
        }
        let (wrote, writes) = (old?.contains(.write) ?? false, new?.contains(.write) ?? false)
        if wrote != writes { changes.append(writes ? .add(.write, isEdgeTriggered: false) : .delete(.write)) }
        return changes
    }

    /// The meaning of a filter's event.
    ///
    /// - Parameters:
    ///   - isEnd: whether `EV_EOF` is set.
    ///   - hasError: whether the event carries an error of the socket, as after a reset.
    static func readiness(_ filter: Filter, isEdgeTriggered: Bool, isEnd: Bool, hasError: Bool) -> Readiness {
        switch filter {
        case .write: isEnd ? [.write, .hangup] : .write
        // Reading shows which end it was.
        case .read where !isEdgeTriggered: .read
        case .read: isEnd ? (hasError ? [.peerEnd, .hangup] : .peerEnd) : []
        }
    }
}
