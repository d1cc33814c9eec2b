import Basics
import EventLoops
import JSON
import OpenAPI
import ScenarioFormat
import Simulation

extension AdminAPI {
    func health(_ call: Call) -> JSONValue {
        let loaded = call.session.origin.loaded
        return [
            "status": "ok",
            "backend": .string(loaded.scenario.backend),
            "story": loaded.scenario.story.map { .string($0.id) } ?? .null,
            "sessions": .number(JSONNumber(handler.sessions.count)),
        ]
    }

    func scenario(_ call: Call) -> JSONValue {
        let origin = call.session.origin
        let scenario = origin.loaded.scenario
        return [
            "session": .string(call.session.name),
            "file": .string(origin.loaded.path),
            "backend": .string(scenario.backend),
            "story": scenario.story.map { story in
                [
                    "id": .string(story.id),
                    "title": .string(story.title),
                    "about": .string(story.about),
                    "reproduces": .array(story.reproduces.map(JSONValue.string)),
                ]
            } ?? .null,
            "contract": origin.contract.map { play in
                [
                    "file": .string(play.contract.path),
                    "title": .string(play.contract.title),
                    "mode": .string(play.mode.rawValue),
                    "fill": .string(play.fill.rawValue),
                    "operations": .number(JSONNumber(play.contract.operations.count)),
                ]
            } ?? .null,
            "stories": .array(
                handler.library.stories().map { entry in
                    ["id": .string(entry.id), "title": .string(entry.title), "file": .string(entry.file)]
                }
            ),
        ]
    }

    /// Switches the session to another story, or begins the same one again.
    func changeScenario(_ call: Call) throws(AdminError) -> JSONValue {
        let body = try call.object(with: ["story", "reset"])
        var origin = call.session.origin
        switch (body["story"], body["reset"]?.bool) {
        case (let story?, nil), (let story?, true): origin = try self.origin(story: story, over: origin)
        case (nil, true): break
        default: throw AdminError("bad-body", "Send {\"story\": \"ID\"} or {\"reset\": true}.")
        }
        handler.follow(origin.loaded)
        do throws(SystemError) {
            call.session.restart(try handler.begin(origin, named: call.session.name), origin: origin)
        } catch {
            throw .noListener(error, "so it still plays what it played")
        }
        handler.closeOrigins(of: call.session.name, missingIn: call.session.stage)
        return scenario(call)
    }

    /// The same beginning with another story.
    func origin(story: JSONValue, over base: LiveSession.Origin) throws(AdminError) -> LiveSession.Origin {
        guard let id = story.string else {
            throw AdminError("bad-body", "\"story\" wants a story's id as a string, not \(story.kindName).")
        }
        do throws(ScenarioError) {
            // Its files are watched, so what the session has of the contract is as new as the file.
            var contracts: [String: Contract] = [:]
            if let play = base.contract { contracts[play.contract.path] = play.contract }
            let staged = try handler.staging.stage(handler.library.load(story: id), contracts: &contracts)
            return LiveSession.Origin(
                loaded: staged.loaded,
                stage: staged.stage,
                contract: staged.contract,
                story: id,
                seed: base.seed,
                start: base.start
            )
        } catch {
            throw AdminError(findings: error.findings, name: "invalid-scenario")
        }
    }

    func routes(_ call: Call) -> JSONValue {
        let loaded = call.session.origin.loaded
        return [
            "routes": .array(
                loaded.scenario.routes.map { route in
                    [
                        "route": .string(route.key.text),
                        "requires": .array(route.requirements.map { .string($0.kind) }),
                        "place": .string(loaded.sources.place(of: route.position).description),
                    ]
                }
            )
        ]
    }
}
