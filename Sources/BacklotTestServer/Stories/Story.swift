package import Basics
public import Foundation
import JSON
package import ScenarioFormat

extension BacklotServer {
    /// A story with its backend, or a backend without a story, that a server plays.
    ///
    /// A string literal is the path of a scenario file.
    public struct Story: Sendable, ExpressibleByStringLiteral {
        enum Source: Sendable {
            /// As the caller wrote it.
            case file(String)
            /// Found by a bundle or made by the caller.
            case url(URL)
            case resource(String, folder: URL?)
            case text(String)
            case built(DraftScenario, [StoryPart])
        }

        let source: Source
        /// The variant of the story; the story itself when `nil`.
        var variant: String?
        /// The additional parts.
        var parts: [StoryPart] = []

        init(_ source: Source, variant: String? = nil) {
            self.source = source
            self.variant = variant
        }

        /// A Boolean value that indicates whether a file or a text in its form says what is served, and no part in
        /// Swift does.
        var isOfFile: Bool {
            if case .built = source { return false }
            return parts.isEmpty
        }

        /// Creates a story from the path of a scenario file.
        ///
        /// See ``file(_:variant:)``.
        public init(stringLiteral path: String) { self.init(.file(path)) }

        /// Returns the story from a scenario file, a folder with a `backend.json`, or an OpenAPI file.
        ///
        /// - Parameters:
        ///   - path: The path. A relative path is resolved against the folder of the test's source file, then against
        ///     each of its parent folders.
        ///   - variant: The name of one of the story's variants.
        public static func file(_ path: String, variant: String? = nil) -> Story {
            Story(.file(path), variant: variant)
        }

        /// Returns the story from a scenario file at a file URL, such as the URL of a bundle resource.
        public static func file(at url: URL, variant: String? = nil) -> Story { Story(.url(url), variant: variant) }

        /// Returns the story from a scenario file in a bundle, for tests on a device, where source files do not exist.
        ///
        /// - Parameters:
        ///   - path: The path in the bundle's resources. Files that the story extends or uses must be resources as
        ///     well. Copy the folder without processing, with `.copy("Scenarios")` in `Package.swift`.
        ///   - bundle: The bundle, such as `.module`.
        public static func resource(_ path: String, in bundle: Bundle, variant: String? = nil) -> Story {
            Story(.resource(path, folder: bundle.resourceURL), variant: variant)
        }

        /// Returns a story from the text of a scenario file in JSON or YAML.
        ///
        /// Paths in the text are relative to the test's folder.
        public static func text(_ text: String, variant: String? = nil) -> Story {
            Story(.text(text), variant: variant)
        }
    }
}

extension BacklotServer.Story {
    /// Finds the story.
    ///
    /// - Parameter file: the source file that relative paths start from.
    /// - Throws: ``StoryProblem`` when there is no such file.
    func readable(from file: String) throws -> ReadableStory {
        let base = try readableBase(from: file)
        if parts.isEmpty { return base }
        if case .built(let draft, let own) = source {
            return ReadableStory(BuiltStory(draft.setting(Self.heading(parts)), own + parts), in: base.folder)
        }
        guard base.text == nil else {
            throw StoryProblem(
                "a story from text cannot have parts",
                advice: "write the content of the parts in the text"
            )
        }
        guard variant == nil else {
            throw StoryProblem("a variant cannot have parts", advice: "add the parts to the story itself")
        }
        // A folder means the backend in it.
        let path = try base.file()
        let extending: DraftScenario = [.extends: .string(FilePath.name(of: path))]
        return ReadableStory(BuiltStory(extending.setting(Self.heading(parts)), parts), in: FilePath.folder(of: path))
    }

    private func readableBase(from file: String) throws -> ReadableStory {
        let folder = FilePath.folder(of: file)
        switch source {
        case .file(let path):
            return ReadableStory(path: try Self.find(path, from: folder), variant: variant)
        case .url(let url):
            guard url.isFileURL else { throw StoryProblem("\(url) is not a file URL") }
            return ReadableStory(path: DiskFiles().shown(url.path), variant: variant)
        case .resource(let path, let resources):
            guard let resources else {
                throw StoryProblem("the bundle contains no resources, so \"\(path)\" does not exist")
            }
            let found = FilePath.join(resources.path, path)
            guard DiskFiles().resolve(found) != nil else {
                throw StoryProblem(
                    "the resource \"\(path)\" does not exist in \(resources.path)",
                    advice: "add .copy(\"Scenarios\") to the test target's resources, and use the path in the resources"
                )
            }
            return ReadableStory(path: found, variant: variant)
        case .text(let text):
            let isJSON = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
            let name = isJSON ? "story.json" : "story.yaml"
            return ReadableStory(path: name, text: text, folder: folder, variant: variant)
        case .built(let draft, let parts): return ReadableStory(BuiltStory(draft, parts), in: folder)
        }
    }

    private static func find(_ path: String, from folder: String) throws -> String {
        let files = DiskFiles()
        guard FilePath.isPath(path) else { throw StoryProblem("\"\(path)\" is not a file path") }
        let folders = FilePath.isAbsolute(path) ? [] : FilePath.folders(from: folder)
        let candidates = folders.isEmpty ? [path] : folders.map { FilePath.join($0, path) }
        if let found = candidates.first(where: { files.resolve($0) != nil }) { return files.shown(found) }
        throw StoryProblem(
            "there is no file \"\(path)\"" + (folders.isEmpty ? "" : " in \(folder) or its parent folders"),
            advice: suggestion(for: path, in: folders)
                ?? "on a device, which has no source files, use a story from a bundle: .resource(_:in:)"
        )
    }

    /// A path that differs in its last part only and is there.
    private static func suggestion(for path: String, in folders: [String]) -> String? {
        let (folder, name) = (FilePath.folder(of: path), FilePath.name(of: path))
        for base in folders.isEmpty ? ["."] : folders {
            let names = DiskFiles().entries(of: FilePath.join(base, folder))
            if let meant = Suggestion.nearest(to: name, among: names) {
                return "did you mean \"\(FilePath.join(folder, meant))\"?"
            }
        }
        return nil
    }
}

extension BacklotServer.Story {
    /// Loads the story without serving it.
    ///
    /// - Parameter file: the source file that relative paths start from.
    /// - Returns: the story, and the files that it was read from.
    /// - Throws: ``StoryProblem`` with everything that is wrong.
    package func loaded(from file: String) throws -> (LoadedScenario, any FileReading) {
        let readable = try readable(from: file)
        return (try readable.loaded(), readable.files)
    }
}
