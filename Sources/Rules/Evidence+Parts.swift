import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// What a story adds to its backend, and whether it was played.
extension Evidence {
    /// The responses, faults and events of the story that were not played, each with the reason.
    func judgeParts(of scenario: Scenario, in sources: SourceMap) -> [ExpectationResult] {
        scenario.parts.compactMap { part in
            guard plays[part.name] == nil else { return nil }
            let asked = exchanges.filter { exchange in
                part.route.map { exchange.route?.utf8.elementsEqual($0.utf8) ?? false } ?? false
                    && exchange.origin == part.origin
            }
            if part.demand == .unlessUnasked, !asked.contains(where: \.isAnsweredByCase) { return nil }
            let reason = pending(part) ?? reason(part, asked, scenario, sources)
            let name = part.name.printable
            var judged = ExpectationResult(
                status: .incomplete,
                rule: "expect/not-played",
                wanted: "the story to play \(name)",
                message: "the story did not play \(name): \(reason)",
                exchanges: Array(asked.map(\.number).prefix(1))
            )
            judged.advice =
                "let the client do what asks for it; where the story needs no such client, say \"optional\": true there"
            judged.place = sources.place(of: part.position)
            return judged
        }
    }

    // MARK: Why an event did not happen

    /// Why an event of the timeline is not due yet; `nil` for anything else, and where it has happened.
    private func pending(_ part: StoryPart) -> String? {
        switch part.trigger {
        case nil: return nil
        case .at(let delay):
            guard end - start < delay else { return nil }
            return "it is due \(DurationText.text(delay)) after the start, and the clock stood at"
                + " \(DurationText.text(end - start))"
        case .after(let awaited, let delay):
            for exchange in awaited {
                let count = count(of: exchange)
                guard count < exchange.count else { continue }
                let status = exchange.status.map { " with \($0)" } ?? ""
                return "it waits for \(exchange.route.printable) to be answered"
                    + " \(Sentences.times(exchange.count))\(status), which happened"
                    + " \(count == 0 ? "never" : "only \(Sentences.times(count))")"
            }
            guard part.kind == .event else { return nil }
            return "it is due \(DurationText.text(delay)) after what it waits for, and the story ended before"
        }
    }

    private func count(of awaited: AwaitedExchange) -> Int {
        exchanges.count { exchange in
            exchange.origin == nil && exchange.isCommitted
                && exchange.route?.utf8.elementsEqual(awaited.route.utf8) ?? false
                && awaited.status.map { $0 == exchange.response.status.code } ?? true
        }
    }

    // MARK: Why a route did not play it

    private func reason(
        _ part: StoryPart,
        _ asked: [Exchange],
        _ scenario: Scenario,
        _ sources: SourceMap
    ) -> String {
        guard let route = part.route?.printable else { return "it did not happen" }
        guard !asked.isEmpty else {
            return lost > 0 ? "no request to it is in the journal" : "\(route) was never asked for"
        }
        guard part.kind == .response || part.trigger == nil else {
            return "no request to \(route) met it: the last one was exchange \(asked.last?.number ?? 0)"
        }
        var answers: [(by: String, numbers: [UInt64])] = []
        for exchange in asked {
            let answer = answer(to: exchange, on: part, scenario, sources)
            if let index = answers.firstIndex(where: { $0.by == answer }) {
                answers[index].numbers.append(exchange.number)
            } else {
                answers.append((answer, [exchange.number]))
            }
        }
        return Sentences.list(answers.map { "\(Sentences.exchanges($0.numbers)) got \($0.by)" }, "and")
    }

    /// What a request got instead of a part of the story.
    private func answer(
        to exchange: Exchange,
        on part: StoryPart,
        _ scenario: Scenario,
        _ sources: SourceMap
    ) -> String {
        if let answer = exchange.answeredBy {
            let place = place(of: answer, on: part, scenario, sources).map { " (\($0))" } ?? ""
            return answer.printable + place
        }
        return exchange.offered.contains { $0.isAccepted == false } ? "the refusal of a token" : "another response"
    }

    /// Where the case stands that has answered.
    private func place(of answer: String, on part: StoryPart, _ scenario: Scenario, _ sources: SourceMap) -> String? {
        guard answer.hasPrefix("case "), let number = Int(answer.dropFirst(5)), let key = part.route else { return nil }
        let routes =
            part.origin.map { name in scenario.origins.first { $0.name == name }?.routes ?? [] } ?? scenario.routes
        let cases = routes.first { $0.key.text.utf8.elementsEqual(key.utf8) }?.cases ?? []
        guard cases.indices.contains(number - 1) else { return nil }
        let responses = cases[number - 1].responses
        return (responses.listed.first ?? responses.own).map { sources.place(of: $0.position).description }
    }
}

extension Exchange {
    fileprivate var isAnsweredByCase: Bool { answeredBy?.hasPrefix("case ") ?? false }
}
