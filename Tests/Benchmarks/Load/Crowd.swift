import Basics
import EventLoops
import HTTPCodec

/// Many keep-alive connections to one server that ask for the same, all from one event loop.
///
/// A class, because its connections live on from one exchange to the next.
final class Crowd {
    private let port: UInt16
    private var sockets: [ConnectedSocket] = []

    /// What came of the requests of a crowd.
    struct Outcome {
        /// From just before each request is sent to the last byte of its response.
        var milliseconds: [Double] = []
        /// Responses other than 2xx, connections that broke, and requests without a response in time.
        var failures = 0
    }

    /// Connects them all.
    init(_ count: Int, port: UInt16) throws {
        self.port = port
        sockets.reserveCapacity(count)
        for _ in 0..<count { sockets.append(try Self.connect(port)) }
    }

    private static func connect(_ port: UInt16) throws -> ConnectedSocket {
        guard let address = SocketAddress("127.0.0.1", port: port) else { throw Obstacle("there is no 127.0.0.1") }
        return try ConnectedSocket(connectingTo: address, until: SystemTime().now().advanced(by: .seconds(10)))
    }

    /// Lets every connection ask so many times, one request after the other, until all have or the time is up.
    ///
    /// What is open when the time of an endless exchange is up counts as nothing; otherwise it is a failure.
    ///
    /// - Parameter spread: how long the connections' first requests take to be sent, at even intervals.
    func exchange(
        _ request: HTTPRequest,
        each count: Int,
        begunOver spread: Duration = .zero,
        within time: Duration
    ) throws -> Outcome {
        var bytes: [UInt8] = []
        HTTPRequestWriter.append(request, host: "127.0.0.1:\(port)", to: &bytes)
        let loop = try EventLoop()
        let conversation = Conversation(bytes, method: request.method, each: count, loop: loop)
        var members: [Speaker] = []
        for socket in sockets {
            let speaker = Speaker(socket, in: conversation)
            members.append(speaker)
            try loop.register(socket.descriptor, for: .read, handler: speaker)
        }
        conversation.speaking = members.count
        let begin = SystemTime().now()
        for (number, member) in members.enumerated() {
            guard spread > .zero else {
                member.ask()
                continue
            }
            loop.schedule(at: begin.advanced(by: spread * number / members.count)) { member.ask() }
        }
        loop.schedule(at: begin.advanced(by: time)) { loop.stop() }
        try loop.run()
        var outcome = conversation.outcome
        if count != .max { outcome.failures += conversation.speaking }
        return outcome
    }

    /// Sends so many of the connections a beginning and then breaks them, new ones taking their places.
    func kill(_ count: Int, after beginning: [UInt8]) throws {
        for index in sockets.indices.prefix(count) {
            _ = beginning.withUnsafeBytes { sockets[index].write($0) }
            sockets[index].reset()
            sockets[index] = try Self.connect(port)
        }
    }
}

/// What the connections of an exchange share; a class for that reason.
private final class Conversation {
    let request: [UInt8]
    let method: HTTPMethod
    let count: Int
    let loop: EventLoop
    var speaking = 0 {
        didSet { if speaking == 0 { loop.stop() } }
    }
    var outcome = Crowd.Outcome()

    init(_ request: [UInt8], method: HTTPMethod, each count: Int, loop: EventLoop) {
        self.request = request
        self.method = method
        self.count = count
        self.loop = loop
    }
}

/// One connection of an exchange; a class, because its registration refers to it.
private final class Speaker: DescriptorHandler {
    private let socket: ConnectedSocket
    private let conversation: Conversation
    private var parser = HTTPResponseParser()
    private var input = InputBuffer()
    private var asked = 0
    private var askedAt = MonotonicTime.never

    init(_ socket: ConnectedSocket, in conversation: Conversation) {
        self.socket = socket
        self.conversation = conversation
    }

    func ask() {
        asked += 1
        parser.expectResponse(to: conversation.method)
        askedAt = SystemTime().now()
        // A request is far smaller than an empty socket's buffer.
        let outcome = conversation.request.withUnsafeBytes { socket.write($0) }
        guard outcome == .bytes(conversation.request.count) else { return leave(failing: true) }
    }

    func descriptorIsReady(_ readiness: Readiness) {
        var outcome = ReadOutcome.wouldBlock
        input.fill(atMost: 8 << 10) { room in
            outcome = socket.read(into: room)
            if case .bytes(let count) = outcome { return count }
            return 0
        }
        switch outcome {
        case .bytes: listen()
        case .wouldBlock: break
        case .endOfStream, .failed: leave(failing: true)
        }
    }

    private func listen() {
        while true {
            switch parser.next(&input) {
            case .needsMoreBytes: return
            case .head, .interim: continue
            case .failed: return leave(failing: true)
            case .complete(let response):
                note(response)
                if asked == conversation.count { return leave(failing: false) }
                ask()
                return
            }
        }
    }

    private func note(_ response: HTTPReceivedResponse) {
        guard response.status.isSuccessful else {
            conversation.outcome.failures += 1
            return
        }
        let time = askedAt.nanoseconds(until: SystemTime().now())
        conversation.outcome.milliseconds.append(Double(time) / 1_000_000)
    }

    private func leave(failing: Bool) {
        if failing { conversation.outcome.failures += 1 }
        conversation.loop.deregister(socket.descriptor)
        conversation.speaking -= 1
    }
}
