import Basics
import EventLoops
import Testing

/// Two ends of a TCP connection over loopback.
struct SocketPair {
    let near: ConnectedSocket
    let far: ConnectedSocket

    init() throws {
        let address = try #require(SocketAddress("127.0.0.1", port: 0))
        let listener = try ListeningSocket(address: address)
        far = try ConnectedSocket(connectingTo: listener.address, until: .never)
        guard case .accepted(let socket, from: _) = listener.accept() else {
            throw SystemError("accept", .connectionAborted)
        }
        near = socket
    }
}

extension ConnectedSocket {
    @discardableResult
    func write(_ text: String) -> WriteOutcome {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    func readText() -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        guard case .bytes(let count) = bytes.withUnsafeMutableBytes({ read(into: $0) }) else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    func readOutcome() -> ReadOutcome {
        var bytes = [UInt8](repeating: 0, count: 256)
        return bytes.withUnsafeMutableBytes { read(into: $0) }
    }

    /// Writes until the kernel takes no more, and says how much it took.
    func fill() -> Int {
        let bytes = [UInt8](repeating: 120, count: 65_536)
        var total = 0
        while case .bytes(let count) = bytes.withUnsafeBytes({ write($0) }) { total += count }
        return total
    }
}

/// Remembers what it was told; a class, because handlers are.
final class Recorder: DescriptorHandler, TimerHandler {
    var heard: [Readiness] = []
    var fired: [TimerID] = []
    var whenReady: (Readiness) -> Void = { _ in }

    func descriptorIsReady(_ readiness: Readiness) {
        heard.append(readiness)
        whenReady(readiness)
    }

    func timerFired(_ timer: TimerID) {
        fired.append(timer)
    }
}
