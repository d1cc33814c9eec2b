import HTTPCodec
import JSON

/// What asking for new tokens has led to.
enum RefreshOutcome: Sendable {
    case fresh(Tokens)
    /// The server will not have this refresh token any more.
    case refused
    /// The server says that there are fresh tokens already.
    case conflict
    /// It may work the next time.
    case failed
    /// Nobody knows whether the server has done it.
    case lost
}

/// Asks the server for new tokens, once, and a second time where the first came to nothing.
struct RefreshCall: Sendable {
    let device: Device
    let serverTime: ServerTime
    let bug: Bug?

    func run(_ tokens: Tokens, first: Tokens?) async -> RefreshOutcome {
        let outcome = await ask(tokens, first: first)
        switch outcome {
        case .answered(let result): return result
        case .busy(let pause):
            guard bug != .passingFailureSignsOut, bug != .refreshGivenUp else { return .failed }
            await device.sleep(pause)
        case .unanswered:
            guard bug != .lostResponseSignsOut else { return .lost }
            await device.sleep(.milliseconds(50))
        }
        switch await ask(tokens, first: first) {
        case .answered(let result): return result
        case .busy: return .failed
        case .unanswered: return .lost
        }
    }

    private enum Attempt {
        case answered(RefreshOutcome)
        case busy(Duration)
        case unanswered
    }

    private func ask(_ tokens: Tokens, first: Tokens?) async -> Attempt {
        let asked = device.uptime()
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await device.transport.send(request(tokens, first: first))
        } catch {
            return .unanswered
        }
        serverTime.note(response, asked: asked)
        switch response.status.code {
        case 200..<300:
            let fresh = Tokens(response, asked: asked, received: device.uptime())
            return fresh.map { .answered(.fresh($0)) } ?? .unanswered
        case 401 where bug == .refreshWithExpiredBearer:
            // A 401 waits for the refresh that is under way, and that is this one.
            await device.sleep(.seconds(3600))
            return .answered(.failed)
        case 409: return .answered(.conflict)
        case 429, 500...: return .busy(pause(response))
        default: return .answered(.refused)
        }
    }

    private func request(_ tokens: Tokens, first: Tokens?) -> Request {
        let token: String =
            switch bug {
            case .rotatedTokenReused: first?.refresh ?? tokens.refresh
            case .tokenOfWrongKind: tokens.access
            default: tokens.refresh
            }
        let body: JSONValue = ["refreshToken": .string(token)]
        let request = Request(
            http: HTTPRequest(
                method: .post,
                target: "/refresh",
                fields: ["Content-Type": "application/json", "X-Device": device.name],
                body: Array(body.description.utf8)
            )
        )
        guard bug == .refreshWithExpiredBearer else { return request }
        return request.with("Authorization", "Bearer \(tokens.access)")
    }

    private func pause(_ response: HTTPResponse) -> Duration {
        guard bug != .retryAfterIgnored else { return Courier.ownPause }
        return .seconds(response.retryAfter ?? 1)
    }
}
