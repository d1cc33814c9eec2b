import Basics
import JSON

/// The event that sends something over streams that are open.
enum PushEventKeys: EventObject {
    static let route = Key(
        "push",
        .json(.text(.route)),
        "The route whose open streams receive the events or WebSocket messages.",
        required: true,
        example: "GET /progress"
    )
    static let events = Key(
        "events",
        .json(.list(of: .object(StreamEventKeys.self))),
        """
        The events to send. A client that reconnects with `Last-Event-ID` receives the later events that have an "id".
        """,
        example: [["id": "7", "json": ["progress": 70]]]
    )
    static let close = Key(
        "close",
        .object(WebSocketCloseKeys.self),
        "Closes the streams after the events. The close code applies only to WebSockets.",
        example: ["code": 4000]
    )
    static let device = Key(
        "device",
        .json(.text(.filled)),
        "The device whose streams receive the events.",
        otherwise: "every device",
        example: "phone"
    )

    static let shape = ObjectShape(
        "pushEvent",
        "a \"push\" event",
        "events are sent over open streams",
        [route, events, close, device],
        rules: [
            ObjectRule(
                .any([.member(events, .filled), .has(close)]),
                "scenario/idle-event",
                "found neither \"events\" nor \"close\", so nothing is sent",
                advice: "add \"events\", or \"close\" to end the streams"
            )
        ]
    )

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        guard let written = tree[route], let key = written.string else { return nil }
        builder.expectStream(key, at: written.position)
        let events = (tree[events]?.array ?? []).map { builder.event($0, isLine: false) }
        let close = tree[close].map { builder.webSocketClose($0) }
        let devices = tree[device].map { builder.deviceSelection($0) } ?? .every
        return .push(StreamPush(route: key, events: events, close: close, devices: devices))
    }
}

extension ScenarioBuilder {
    /// Reports a route that no stream can be open on.
    fileprivate mutating func expectStream(_ key: String, at position: JSONPosition) {
        expectRoute(key, at: position)
        guard let route = root[ScenarioKeys.routes].last(where: { $0.name.hasSameUTF8(as: key) })?.value else { return }
        let cases = route[RouteKeys.cases]
        let responses = ([route] + cases).flatMap { [$0] + $0[SequenceKeys.responses] }
        guard !responses.contains(where: { $0.has(ResponseKeys.events) || $0.has(ResponseKeys.webSocket) }) else {
            return
        }
        report(
            "scenario/no-stream",
            "no response of \(key) is a stream, so nothing can be sent to it",
            at: position,
            advice: "add \"events\" or \"webSocket\" to one of its responses"
        )
    }
}
