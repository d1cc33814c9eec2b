package import Basics
import JSON

/// Finds stories of one folder that have the same id, which makes the id ambiguous.
package struct StoryNames {
    private struct Name: Hashable {
        var folder: String
        var id: ExactText
    }

    private var places: [Name: [Place]] = [:]
    /// In the order of the files.
    private var names: [Name] = []

    package init() {}

    /// Takes in a story; a backend has no id.
    package mutating func note(_ loaded: LoadedScenario) {
        guard let story = loaded.scenario.story else { return }
        // A story that extends another one without an id has the id of the other.
        let written = loaded.root["id"]?.position
        let position = written?.document == loaded.root.position.document ? written : loaded.root.position
        note(story.id, of: loaded.path, at: loaded.sources.place(of: position ?? loaded.root.position))
    }

    /// Takes in a story of which only the heading was read.
    package mutating func note(_ heading: StoryHeading) { note(heading.id, of: heading.file, at: heading.place) }

    private mutating func note(_ id: String, of file: String, at place: Place) {
        guard !id.isEmpty else { return }
        let name = Name(folder: FilePath.folder(of: file), id: id.exact)
        if places[name] == nil { names.append(name) }
        places[name, default: []].append(place)
    }

    /// A finding at each of them, with the places of the others.
    package var findings: [Finding] {
        names.flatMap { name -> [Finding] in
            let places = places[name] ?? []
            guard places.count > 1 else { return [] }
            return places.enumerated().map { number, place in
                var others = places
                others.remove(at: number)
                return Finding(
                    .error,
                    id: "check/same-id",
                    "another story in this folder also has the id \"\(name.id.text)\"".printable,
                    at: place,
                    advice: "use a different id for each story; --story and reports use the id",
                    related: others.map { RelatedPlace($0, "this story has the same id") }
                )
            }
        }
    }
}
