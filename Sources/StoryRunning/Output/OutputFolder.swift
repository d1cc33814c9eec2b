import Basics

/// Where files about played stories are kept: a folder for each, by its id.
package struct OutputFolder: Sendable {
    package let path: String
    /// The names of the stories' folders, by file and id: two files may use one id.
    private var names: [RunnableStory.Key: String] = [:]

    package init(_ path: String, for stories: [RunnableStory]) {
        self.path = path
        var taken: Set<String> = []
        for story in stories {
            let plain = Self.name(of: story.id)
            var name = plain
            var number = 1
            // Some file systems take two names for one that differ in case or in how an accent is written.
            while !taken.insert(name.lowercased()).inserted {
                number += 1
                name = "\(plain)-\(number)"
            }
            names[story.key] = name
        }
    }

    /// An id as the name of a folder; no id leads out of the folder that it belongs into.
    private static func name(of id: String) -> String {
        let scalars = id.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar == "/" || scalar == "\\" || scalar.value < 0x20 || scalar.value == 0x7F ? "-" : scalar
        }
        let name = String(String.UnicodeScalarView(scalars.prefix(100)))
        return name.isEmpty || name.utf8.first == UInt8(ascii: ".") ? "story-" + name : name
    }

    /// The folder of a story, made if there is none.
    func place(of story: RunnableStory) -> StoryFolder {
        StoryFolder(FilePath.join(path, names[story.key] ?? Self.name(of: story.id)))
    }
}

extension RunnableStory {
    struct Key: Sendable, Hashable {
        var file: String
        var variant: String?
    }

    var key: Key { Key(file: file, variant: variant) }
}
