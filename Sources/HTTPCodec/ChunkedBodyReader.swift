/// Takes a chunked body apart (RFC 9112, section 7.1), for requests and responses alike.
struct ChunkedBodyReader: Sendable {
    private enum State: Sendable {
        case size
        case data(remaining: Int)
        /// The line end behind the data, of which perhaps the CR is already behind.
        case dataEnd(sawCarriageReturn: Bool)
        case trailers
    }

    private static let longestSize = 16

    private var state = State.size
    private var scanned = 0
    private var extensionBytes = 0
    private var trailers = HeadReader()

    /// Moves on as far as the bytes reach.
    ///
    /// - Returns: The trailers once the body is complete, else `nil`.
    mutating func read(
        _ input: inout InputBuffer,
        into body: inout BodyCollector,
        limits: HTTPLimits
    ) throws(HTTPFault) -> HTTPFields? {
        while true {
            switch state {
            case .size:
                guard let size = try readSize(&input, limits: limits) else { return nil }
                if size == 0 {
                    trailers = HeadReader()
                    trailers.beginFields()
                    state = .trailers
                } else {
                    try body.announce(size)
                    state = .data(remaining: size)
                }
            case .data(let remaining):
                let taken = body.take(atMost: remaining, from: &input)
                state = taken == remaining ? .dataEnd(sawCarriageReturn: false) : .data(remaining: remaining - taken)
                if taken < remaining { return nil }
            case .dataEnd(let sawCarriageReturn):
                guard let byte = input.withBytes({ $0.first }) else { return nil }
                guard byte == (sawCarriageReturn ? 0x0A : 0x0D) else { throw .missingChunkEnd }
                input.consume(1)
                state = sawCarriageReturn ? .size : .dataEnd(sawCarriageReturn: true)
            case .trailers:
                return try trailers.takeFields(from: &input, limits: limits, areTrailers: true)
            }
        }
    }

    private mutating func readSize(_ input: inout InputBuffer, limits: HTTPLimits) throws(HTTPFault) -> Int? {
        let line = try input.withBytes { bytes throws(HTTPFault) -> (size: Int, end: Int)? in
            let lineFeed = LineFeed.firstIndex(in: bytes, from: scanned)
            let beyondSize = (lineFeed ?? bytes.count) - Self.longestSize - 1
            guard beyondSize <= max(0, limits.chunkExtensions - extensionBytes) else {
                throw .chunkExtensionsTooLarge(limit: limits.chunkExtensions)
            }
            guard let lineFeed else {
                scanned = bytes.count
                return nil
            }
            guard lineFeed > 0, bytes[lineFeed - 1] == 0x0D else { throw .bareLineFeed }
            return (try size(UnsafeBufferPointer(rebasing: bytes[..<(lineFeed - 1)])), lineFeed + 1)
        }
        guard let line else { return nil }
        scanned = 0
        input.consume(line.end)
        return line.size
    }

    /// `1*HEXDIG [ chunk-ext ]`, digits only: no sign, no prefix, no space.
    private mutating func size(_ line: UnsafeBufferPointer<UInt8>) throws(HTTPFault) -> Int {
        var index = 0
        var size: UInt64 = 0
        while index < line.count, let digit = ByteClass.hexadecimalValue(line[index]) {
            guard index < Self.longestSize else { throw .chunkSizeTooBig }
            size = size << 4 | UInt64(digit)
            index += 1
        }
        if line.contains(0x0D) { throw .bareCarriageReturn }
        guard index > 0 else { throw .malformedChunkSize }
        guard size <= UInt64(Int64.max), let exact = Int(exactly: size) else { throw .chunkSizeTooBig }
        if index < line.count {
            extensionBytes += line.count - index
            try ChunkExtension.check(line, from: index)
        }
        return exact
    }
}

/// The grammar behind a chunk size: extensions are ignored, but only where it is sure that they are extensions.
enum ChunkExtension {
    /// `*( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )`, RFC 9112, section 7.1.1.
    static func check(_ line: UnsafeBufferPointer<UInt8>, from start: Int) throws(HTTPFault) {
        var index = start
        while index < line.count {
            let before = index
            skipSpace(line, &index)
            guard index < line.count, line[index] == 0x3B else {
                // Only spaces may have gone before the semicolon; spaces alone belong to the size.
                throw before == start ? .malformedChunkSize : .malformedChunkExtension
            }
            index += 1
            skipSpace(line, &index)
            guard skipToken(line, &index) else { throw .malformedChunkExtension }
            let afterName = index
            skipSpace(line, &index)
            guard index < line.count, line[index] == 0x3D else {
                index = afterName
                continue
            }
            index += 1
            skipSpace(line, &index)
            guard skipToken(line, &index) || skipQuotedString(line, &index) else { throw .malformedChunkExtension }
        }
    }

    private static func skipSpace(_ line: UnsafeBufferPointer<UInt8>, _ index: inout Int) {
        while index < line.count, ByteClass.isSpaceOrTab(line[index]) { index += 1 }
    }

    private static func skipToken(_ line: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        let start = index
        while index < line.count, ByteClass.isToken(line[index]) { index += 1 }
        return index > start
    }

    private static func skipQuotedString(_ line: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        guard index < line.count, line[index] == 0x22 else { return false }
        index += 1
        while index < line.count {
            let byte = line[index]
            index += 1
            if byte == 0x22 { return true }
            if byte == 0x5C {
                guard index < line.count, ByteClass.isFieldContent(line[index]) else { return false }
                index += 1
            } else if !ByteClass.isFieldContent(byte) {
                return false
            }
        }
        return false
    }
}
