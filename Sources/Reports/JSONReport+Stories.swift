import Basics
import JSON

extension JSONReport {
    /// A story with everything that was looked at; its exchanges are in its journal.
    static func json(_ story: PlayedStory) -> JSONValue {
        var object: JSONObject = ["id": .string(story.id), "title": .string(story.title)]
        if !story.about.isEmpty { object["about"] = .string(story.about) }
        if !story.reproduces.isEmpty { object["reproduces"] = .array(story.reproduces.map(JSONValue.string)) }
        object["file"] = story.file.map(JSONValue.string)
        object["outcome"] = .string(story.outcome.rawValue)
        object["summary"] = .string(story.summary)
        object["expectations"] = .array(story.expectations.map(json))
        object["rules"] = .array(story.rules.map(json))
        object["contract"] = .array(story.contract.map(json))
        object["notes"] = .array(story.notes.map(JSONValue.string))
        object["exchanges"] = .number(JSONNumber(story.diagram.exchanges.count + story.diagram.lost))
        object["command"] = story.command.map(JSONValue.string)
        return .object(object)
    }

    private static func json(_ item: PlayedStory.Item) -> JSONValue {
        var object: JSONObject = ["id": .string(item.id), "status": .string(item.status.rawValue)]
        if !item.sentence.isEmpty { object["sentence"] = .string(item.sentence) }
        object["place"] = item.place.map(json)
        if !item.exchanges.isEmpty { object["exchanges"] = .array(item.exchanges.map { .number(JSONNumber($0)) }) }
        object["reason"] = item.reason.map(JSONValue.string)
        object["advice"] = item.advice.map(JSONValue.string)
        object["source"] = item.source.map(JSONValue.string)
        return .object(object)
    }
}
