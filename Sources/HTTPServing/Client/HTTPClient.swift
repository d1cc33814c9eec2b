import Basics
import EventLoops
package import HTTPCodec
package import TLS

/// A raw HTTP/1.1 client on one connection: it sends bytes unchanged, and returns exactly the received ones.
///
/// It blocks its thread, at most until its timeout, which counts on the machine's clock from the start of each call.
/// A class, because it is one connection with what was read ahead on it; used from one thread at a time.
package final class HTTPClient {
    package let host: String
    package let port: UInt16
    package var timeout: Duration
    /// Interim responses (1xx) that came before the last response.
    package private(set) var interimResponses: [HTTPReceivedResponse] = []
    /// The received part of an interrupted response.
    package var partialResponse: HTTPReceivedResponse? { parser.partial }

    private let limits: HTTPLimits
    private var socket: ConnectedSocket?
    private let context: (any TLSContext)?
    private let proxy: HTTPProxy?
    /// The layer between the client and its socket; `nil` without TLS.
    private var tls: TLSSocket?
    private var parser: HTTPResponseParser
    private var input = InputBuffer()
    private var readBuffer = [UInt8](repeating: 0, count: 16 << 10)

    /// Connects at once; with `localhost` to whichever loopback address answers.
    package init(
        host: String = "localhost",
        port: UInt16,
        timeout: Duration = .seconds(60),
        limits: HTTPLimits = .standard,
        tls context: (any TLSContext)? = nil,
        through proxy: HTTPProxy? = nil
    ) throws(HTTPClientFailure) {
        self.host = host
        self.port = port
        self.timeout = timeout
        self.limits = limits
        (self.context, self.proxy) = (context, proxy)
        parser = HTTPResponseParser(limits: limits)
        try connect()
    }

    /// A Boolean value that indicates whether the connection is open, as far as this side knows.
    package var isOpen: Bool { socket != nil }

    /// This side's port, which the server sees as ``Peer/port``.
    package var localPort: UInt16? { try? socket?.localAddress().port }

    /// Starts again on a fresh connection.
    package func connect() throws(HTTPClientFailure) {
        close()
        parser = HTTPResponseParser(limits: limits)
        input = InputBuffer()
        let deadline = self.deadline
        var failure = HTTPClientFailure.unreachable(SystemError("getaddrinfo", .addressNotAvailable))
        for address in SocketAddress.resolve(proxy?.host ?? host, port: proxy?.port ?? port) {
            do throws(SystemError) {
                socket = try ConnectedSocket(connectingTo: address, until: deadline)
            } catch {
                failure = HTTPClientFailure(error)
                continue
            }
            if let proxy, context != nil { try openTunnel(by: proxy, until: deadline) }
            return try shakeHands(until: deadline)
        }
        if let proxy { failure = .proxy("\(proxy.name) cannot be reached: \(failure)") }
        throw failure
    }

    /// Lets the proxy connect to the server (RFC 9110, section 9.3.6).
    private func openTunnel(by proxy: HTTPProxy, until deadline: MonotonicTime) throws(HTTPClientFailure) {
        let field = proxy.authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        try send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\(field)\r\n")
        var parser = HTTPResponseParser(limits: limits)
        // A success has no body, and nothing is read after a failure.
        parser.expectResponse(to: .head)
        while true {
            switch parser.next(&input) {
            case .interim, .head: break
            case .complete(let response):
                if response.status.isSuccessful { return }
                throw fail(.proxy("\(proxy.name) refused to connect to \(authority): \(response.status)"))
            case .failed(let error): throw fail(.proxy("\(proxy.name) is not an HTTP proxy: \(error.sentence)"))
            case .needsMoreBytes:
                if try read(until: deadline) { continue }
                throw fail(.proxy("\(proxy.name) closed the connection"))
            }
        }
    }

    private func shakeHands(until deadline: MonotonicTime) throws(HTTPClientFailure) {
        guard let socket, let context else { return }
        do throws(TLSProblem) {
            tls = try TLSSocket(connected: socket, to: host, context)
        } catch {
            throw fail(.tls(error.description))
        }
        while let tls, tls.isHandshaking {
            switch tls.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) {
            case .bytes: break
            case .wouldBlock: try wait(socket, toRead: !tls.hasOutput, until: deadline)
            case .endOfStream, .failed: throw fail(.tls(tls.failure?.sentence ?? "the peer closed the connection"))
            }
        }
    }

    /// The server's certificate in DER; `nil` without TLS.
    package var serverCertificate: [UInt8]? { tls?.peerCertificate }

    // MARK: Sending

    /// Sends bytes as they are; responses to requests among them are announced with ``expectResponse(to:)``.
    package func send(_ bytes: [UInt8]) throws(HTTPClientFailure) {
        let deadline = self.deadline
        var sent = 0
        while sent < bytes.count {
            let socket = try openSocket()
            let outcome = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return tls?.write(rest) ?? socket.write(rest)
            }
            switch outcome {
            case .bytes(let count): sent += count
            case .wouldBlock: try wait(socket, toRead: false, until: deadline)
            case .failed(let error): throw fail(HTTPClientFailure(SystemError("send", error)))
            }
        }
    }

    package func send(_ text: String) throws(HTTPClientFailure) {
        try send(Array(text.utf8))
    }

    package func send(_ request: HTTPRequest) throws(HTTPClientFailure) {
        var request = request
        if !request.fields.contains("Host") { request.fields.append("Host", authority) }
        if let proxy, context == nil {
            // RFC 9112, section 3.2.2.
            let target = "http://\(authority)\(request.target)"
            request = HTTPRequest(method: request.method, target: target, fields: request.fields, body: request.body)
            if let value = proxy.authorization { request.fields.append("Proxy-Authorization", value) }
        }
        var bytes: [UInt8] = []
        HTTPRequestWriter.append(request, to: &bytes)
        parser.expectResponse(to: request.method)
        try send(bytes)
    }

    /// Announces that the bytes sent contain a request with this method.
    package func expectResponse(to method: HTTPMethod) {
        parser.expectResponse(to: method)
    }

    // MARK: Receiving

    /// More responses such as 100 do not come before one final one.
    private static let interimLimit = 100

    /// Waits for the next response that is expected.
    package func receive() throws(HTTPClientFailure) -> HTTPReceivedResponse {
        try receive(nil).response
    }

    /// The bodies of which only a part is read, because they may never end.
    package struct StreamReading: Sendable {
        /// Returns whether a response with this head is such a stream.
        package var isStream: @Sendable (HTTPReceivedResponse) -> Bool
        /// For how long its body is read.
        package var duration: Duration

        package init(for duration: Duration, of isStream: @escaping @Sendable (HTTPReceivedResponse) -> Bool) {
            self.isStream = isStream
            self.duration = duration
        }
    }

    /// - Returns: the response, and whether its body is complete.
    private func receive(
        _ reading: StreamReading?
    ) throws(HTTPClientFailure) -> (response: HTTPReceivedResponse, isComplete: Bool) {
        var deadline = self.deadline
        var isStream = false
        interimResponses = []
        while true {
            switch parser.next(&input) {
            case .interim(let response):
                guard interimResponses.count < Self.interimLimit else {
                    throw fail(.malformed("received more than \(Self.interimLimit) interim responses"))
                }
                interimResponses.append(response)
            case .head(let response):
                guard let reading, reading.isStream(response) else { continue }
                isStream = true
                deadline = min(deadline, SystemTime().now().advanced(by: reading.duration))
            case .complete(let response):
                if !response.keepsAlive { close() }
                return (response, true)
            case .failed(let error): throw fail(HTTPClientFailure(error))
            case .needsMoreBytes:
                do throws(HTTPClientFailure) {
                    if try read(until: deadline) { continue }
                } catch .timedOut where isStream {
                    // The rest of it would be taken for the next response.
                    close()
                    if let partial = parser.partial { return (partial, false) }
                    throw .timedOut
                }
                switch parser.endOfStream(&input) {
                case .complete(let response):
                    close()
                    return (response, true)
                case .failed(let error): throw fail(HTTPClientFailure(error))
                default: throw fail(.closedWithoutResponse)
                }
            }
        }
    }

    /// Sends a request and waits for its response; reconnects if the last response ended the connection.
    package func exchange(_ request: HTTPRequest) throws(HTTPClientFailure) -> HTTPReceivedResponse {
        try begin(request)
        return try receive()
    }

    /// Sends a request and waits for its response, or for what comes of a stream in a limited time.
    ///
    /// - Returns: the response, and whether its body is complete.
    package func exchange(
        _ request: HTTPRequest,
        reading streams: StreamReading
    ) throws(HTTPClientFailure) -> (response: HTTPReceivedResponse, isComplete: Bool) {
        try begin(request)
        return try receive(streams)
    }

    private func begin(_ request: HTTPRequest) throws(HTTPClientFailure) {
        if socket == nil { try connect() }
        try send(request)
    }

    /// Waits until an interim response is there, such as 100 before a body is sent.
    package func receiveInterim() throws(HTTPClientFailure) -> HTTPReceivedResponse {
        let deadline = self.deadline
        while true {
            switch parser.next(&input) {
            case .interim(let response): return response
            case .failed(let error): throw fail(HTTPClientFailure(error))
            case .head(let response), .complete(let response):
                let code = response.status.code
                throw fail(.malformed("received a final response (\(code)) instead of an interim response"))
            case .needsMoreBytes:
                if try !read(until: deadline) { throw fail(.closedWithoutResponse) }
            }
        }
    }

    /// Everything that comes until the peer ends the connection, unparsed.
    package func receiveRaw() throws(HTTPClientFailure) -> [UInt8] {
        let deadline = self.deadline
        while try read(until: deadline) {}
        let bytes = input.bytes
        input.consume(bytes.count)
        return bytes
    }

    /// The received bytes, without waiting; nothing is consumed.
    package func peek() throws(HTTPClientFailure) -> [UInt8] {
        while let socket {
            guard case .bytes = readOnce(socket) else { break }
        }
        return input.bytes
    }

    // MARK: Ending

    /// Tells the server that nothing more comes; responses are still read.
    package func endSending() {
        tls?.close()
        socket?.endWriting()
    }

    package func close() {
        tls?.close()
        tls = nil
        socket = nil
    }

    /// Breaks the connection with an RST.
    package func reset() {
        socket?.reset()
        tls = nil
        socket = nil
    }

    // MARK: Plumbing

    /// The value of Host for the server, with an IPv6 address in brackets.
    private var authority: String { host.utf8.contains(0x3A) ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private var deadline: MonotonicTime { SystemTime().now().advanced(by: timeout) }

    private func openSocket() throws(HTTPClientFailure) -> ConnectedSocket {
        guard let socket else { throw .closedWithoutResponse }
        return socket
    }

    private func fail(_ failure: HTTPClientFailure) -> HTTPClientFailure {
        if failure != .timedOut { close() }
        return failure
    }

    private func readOnce(_ socket: ConnectedSocket) -> ReadOutcome {
        readBuffer.withUnsafeMutableBytes { room in
            let outcome = tls?.read(into: room) ?? socket.read(into: room)
            if case .bytes(let count) = outcome {
                input.append(copying: UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
            return outcome
        }
    }

    /// Reads something; false at the end of stream.
    private func read(until deadline: MonotonicTime) throws(HTTPClientFailure) -> Bool {
        let socket = try openSocket()
        while true {
            // A peer that never stops sending is not waited for either.
            if SystemTime().now() >= deadline { throw fail(.timedOut) }
            switch readOnce(socket) {
            case .bytes: return true
            case .endOfStream:
                close()
                return false
            case .failed(let error):
                if let failure = tls?.failure { throw fail(.tls(failure.sentence)) }
                throw fail(HTTPClientFailure(SystemError("recv", error)))
            case .wouldBlock: try wait(socket, toRead: true, until: deadline)
            }
        }
    }

    private func wait(
        _ socket: ConnectedSocket,
        toRead: Bool,
        until deadline: MonotonicTime
    ) throws(HTTPClientFailure) {
        do throws(SystemError) {
            let isReady =
                toRead
                ? try socket.waitUntilReadable(until: deadline) : try socket.waitUntilWritable(until: deadline)
            if !isReady { throw SystemError("poll", .timedOut) }
        } catch {
            throw fail(HTTPClientFailure(error))
        }
    }
}

@available(*, unavailable)
extension HTTPClient: Sendable {}
