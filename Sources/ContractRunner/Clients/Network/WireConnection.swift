import HTTPServing
import HTTPWire
import SocketIO

/// One connection of a network: it carries one request at a time.
///
/// A class, because the loop, its timers and its registrations all mean the same connection.
final class WireConnection: DescriptorHandler, TimerHandler {
    let route: WireLoop.Route
    private let loop: WireLoop
    private var socket: ConnectedSocket?
    private var parser = HTTPResponseParser()
    private var input = InputBuffer()
    /// What has not been sent yet.
    private var output: ArraySlice<UInt8> = []
    private var parcel: WireLoop.Parcel?
    private var timer: TimerID?

    private static let readSize = 64 << 10

    init(_ socket: ConnectedSocket, _ route: WireLoop.Route, _ loop: WireLoop) throws(SystemError) {
        self.route = route
        self.loop = loop
        self.socket = socket
        try loop.events.register(socket.descriptor, for: .read, handler: self)
    }

    var isOpen: Bool { socket != nil }

    // MARK: Carrying

    func carry(_ parcel: WireLoop.Parcel) {
        self.parcel = parcel
        parser.expectReply(to: parcel.request.method)
        var bytes: [UInt8] = []
        HTTPRequestWriter.append(parcel.request, host: route.authority, to: &bytes)
        output = bytes[...]
        timer = loop.events.schedule(at: loop.now.advanced(by: parcel.timeout), handler: self)
        write()
    }

    func fail(_ failure: HTTPClientFailure) {
        close()
        finish(.failure(failure))
    }

    private func finish(_ result: Result<HTTPResponse, HTTPClientFailure>) {
        if let timer { loop.events.cancel(timer) }
        timer = nil
        guard let parcel = parcel.take() else { return loop.forget(self) }
        loop.finish(parcel, on: self, result)
    }

    func close() {
        guard let socket else { return }
        loop.events.deregister(socket.descriptor)
        self.socket = nil
    }

    // MARK: Events

    func descriptorIsReady(_ readiness: Readiness) {
        if readiness.contains(.write) { write() }
        if readiness.isWorthReading { read() }
    }

    func timerFired(_ timer: TimerID) {
        self.timer = nil
        fail(.timedOut)
    }

    private func write() {
        guard let socket, !output.isEmpty else { return }
        switch output.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(let count): output = output.dropFirst(count)
        case .wouldBlock: break
        case .failed:
            // A server that refuses a long body has perhaps answered already.
            output = []
            read()
            return
        }
        let interest: Interest = output.isEmpty ? .read : .readAndWrite
        do throws(SystemError) {
            try loop.events.change(socket.descriptor, to: interest)
        } catch {
            fail(.unreachable(error))
        }
    }

    private func read() {
        while let socket {
            var outcome = ReadOutcome.wouldBlock
            input.fill(atMost: Self.readSize) { room in
                outcome = socket.read(into: room)
                if case .bytes(let count) = outcome { return count }
                return 0
            }
            switch outcome {
            case .bytes: take(parser.next(&input))
            case .wouldBlock: return
            case .endOfStream:
                let step = parser.endOfStream(&input)
                close()
                take(step ?? .failed(.closedWithoutReply))
            case .failed(let number):
                fail(number == .connectionReset || number == .brokenPipe ? .reset : .closedWithoutReply)
            }
        }
    }

    /// Goes through all that has been read.
    private func take(_ first: HTTPResponseParser.Step) {
        var step = first
        while true {
            switch step {
            case .needsMoreBytes: return
            case .interim, .head: break
            case .complete(let reply):
                if !reply.keepsAlive { close() }
                return finish(.success(reply.response))
            case .failed(let error): return fail(HTTPClientFailure(error))
            }
            step = parser.next(&input)
        }
    }
}

@available(*, unavailable)
extension WireConnection: Sendable {}
