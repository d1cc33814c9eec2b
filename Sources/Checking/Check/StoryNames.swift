import Basics
import JSON
import ScenarioFormat

/// Finds stories of one folder that have the same id, which makes the id ambiguous.
struct StoryNames {
    private struct Name: Hashable {
        var folder: String
        var id: ExactText
    }

    private var places: [Name: [Place]] = [:]
    /// In the order of the files.
    private var names: [Name] = []

    /// Takes in a story; a backend has no id.
    mutating func note(_ loaded: LoadedScenario) {
        guard let story = loaded.scenario.story, !story.id.isEmpty else { return }
        let name = Name(folder: FilePath.folder(of: loaded.path), id: ExactText(story.id))
        // A story that extends another one without an id has the id of the other.
        let written = loaded.root["id"]?.position
        let position = written?.document == loaded.root.position.document ? written : loaded.root.position
        if places[name] == nil { names.append(name) }
        places[name, default: []].append(loaded.sources.place(of: position ?? loaded.root.position))
    }

    /// A finding at each of them, with the places of the others.
    var findings: [Finding] {
        names.flatMap { name -> [Finding] in
            let places = places[name] ?? []
            guard places.count > 1 else { return [] }
            return places.enumerated().map { number, place in
                var others = places
                others.remove(at: number)
                return Finding(
                    .error,
                    id: "check/same-id",
                    "another story of this folder has the id \"\(name.id.text)\" as well".printable,
                    at: place,
                    advice: "give each story a different id, by which --story and reports name it",
                    related: others.map { RelatedPlace($0, "it has the same id") }
                )
            }
        }
    }
}
