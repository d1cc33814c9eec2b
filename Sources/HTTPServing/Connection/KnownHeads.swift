import HTTPCodec

/// Requests without bodies that came before on a loop: one with the same bytes is neither read nor routed again.
///
/// Apps ask for the same things with the same fields again and again. A request is kept when it comes for the second time,
/// and takes the place of whichever has its slot, so the memory is bounded: 256 heads of 2 KiB for each loop.
struct KnownHeads {
    /// One of them; a class, so that it is found without a copy.
    final class Head {
        fileprivate let bytes: [UInt8]
        fileprivate let listener: Int
        let request: HTTPRequest
        /// The handler's result about it.
        var routed: (any RoutedHead)?

        fileprivate init(_ bytes: [UInt8], listener: Int, _ request: HTTPRequest, _ routed: (any RoutedHead)?) {
            self.bytes = bytes
            self.listener = listener
            self.request = request
            self.routed = routed
        }
    }

    enum Finding {
        case known(Head)
        /// It came before, and may be kept in this slot once it has been read.
        case repeated(slot: Int)
        case new
    }

    private struct Slot {
        var mark: UInt64 = 0
        var head: Head?
    }

    private static let largestHead = 2 << 10
    private static let slotBits: UInt64 = 8
    private var slots = Array(repeating: Slot(), count: 1 << slotBits)

    /// Looks for a head that all of the bytes are.
    mutating func find(_ bytes: UnsafeBufferPointer<UInt8>, listener: Int) -> Finding {
        guard (16...Self.largestHead).contains(bytes.count), Self.endsWithEmptyLine(bytes) else { return .new }
        let mark = Self.mark(of: bytes, listener)
        let slot = Int(truncatingIfNeeded: mark >> (64 - Self.slotBits))
        guard slots[slot].mark == mark else {
            slots[slot] = Slot(mark: mark)
            return .new
        }
        guard let head = slots[slot].head, head.listener == listener, Self.isSame(head.bytes, bytes) else {
            return .repeated(slot: slot)
        }
        return .known(head)
    }

    mutating func keep(
        _ bytes: [UInt8],
        in slot: Int,
        listener: Int,
        _ request: HTTPRequest,
        _ routed: (any RoutedHead)?
    ) {
        slots[slot].head = Head(bytes, listener: listener, request, routed)
    }

    private static func endsWithEmptyLine(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = bytes.count
        return bytes[end - 1] == 0x0A && bytes[end - 2] == 0x0D && bytes[end - 3] == 0x0A && bytes[end - 4] == 0x0D
    }

    /// Compares eight bytes at a time; as in the number below, the last eight may be looked at twice.
    private static func isSame(_ known: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard known.count == bytes.count else { return false }
        let right = UnsafeRawBufferPointer(bytes)
        return known.withUnsafeBytes { left in
            var offset = 0
            while offset < left.count {
                let start = min(offset, left.count - 8)
                let word = left.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                guard word == right.loadUnaligned(fromByteOffset: start, as: UInt64.self) else { return false }
                offset += 8
            }
            return true
        }
    }

    /// A hash that distinguishes most heads; never zero.
    private static func mark(of bytes: UnsafeBufferPointer<UInt8>, _ listener: Int) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var mark = UInt64(truncatingIfNeeded: bytes.count) ^ UInt64(truncatingIfNeeded: listener) << 32
        var offset = 0
        while offset + 8 <= raw.count {
            mark = mix(mark, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        // At least 16 bytes are there; the last eight may be taken in twice.
        return mix(mark, raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)) | 1
    }

    private static func mix(_ mark: UInt64, _ word: UInt64) -> UInt64 {
        let product = (mark ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}

extension ServingLoop {
    /// Looks for a request that all waiting bytes are, and that came before.
    func known(_ input: InputBuffer, listener: Int) -> KnownHeads.Finding {
        input.withBytes { knownHeads.find($0, listener: listener) }
    }
}
