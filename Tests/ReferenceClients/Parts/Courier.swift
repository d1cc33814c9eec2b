import HTTPCodec

/// Sends one request with a token, and waits where the server says so.
struct Courier: Sendable {
    let device: Device
    let serverTime: ServerTime
    let bug: Bug?

    func send(_ request: Request, _ tokens: Tokens) async -> Outcome {
        let first = await sendOnce(request, tokens)
        guard case .response(let response) = first, let pause = pause(response) else { return first }
        await device.sleep(pause)
        return await sendOnce(request, tokens)
    }

    private func sendOnce(_ request: Request, _ tokens: Tokens) async -> Outcome {
        let asked = device.uptime()
        do throws(TransportError) {
            let response = try await device.transport.send(addressed(request, tokens))
            if request.origin == nil { serverTime.note(response, asked: asked) }
            return .response(response)
        } catch {
            return .unreachable(error)
        }
    }

    /// Tokens are the backend's, and no other server's business.
    private func addressed(_ request: Request, _ tokens: Tokens) -> Request {
        guard request.origin == nil || bug == .tokenSentElsewhere else { return request }
        return request.with("Authorization", "Bearer \(tokens.access)").with("X-Device", device.name)
    }

    /// How long a client waits that does not listen to the server.
    static let ownPause = Duration.milliseconds(200)

    /// How long to wait before one more try.
    private func pause(_ response: HTTPResponse) -> Duration? {
        guard let seconds = response.retryAfter else { return nil }
        return bug == .retryAfterIgnored ? Self.ownPause : .seconds(seconds)
    }
}

extension HTTPResponse {
    /// The seconds that a server which is busy asks for (RFC 9110, section 10.2.3).
    var retryAfter: Int? {
        guard [429, 503].contains(status.code) else { return nil }
        return fields["Retry-After"].flatMap { Int($0) }
    }
}
