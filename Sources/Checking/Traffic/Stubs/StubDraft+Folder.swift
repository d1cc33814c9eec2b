package import Basics
import JSON

/// The files of WireMock: mappings, and bodies in `__files`.
extension StubDraft {
    private static let deepest = 8
    private static let mostFiles = 100_000

    /// Reads the mappings of a folder, or of its folder `mappings`.
    ///
    /// - Throws: where the folder contains no mapping, or more than an import reads.
    package init(wireMockFolder folder: String, files: some FileReading) throws(CaptureProblem) {
        let mappings = FilePath.join(folder, "mappings")
        let place = files.isFolder(mappings) ? mappings : folder
        var documents: [(root: JSONValue, file: String)] = []
        var size = 0
        var visited: Set<String> = []
        for path in Self.documents(in: place, files, depth: 0, visited: &visited).prefix(Self.mostFiles + 1) {
            let bytes: [UInt8]
            do {
                bytes = try files.read(path)
            } catch {
                throw CaptureProblem("the mapping cannot be read: \(error.reason)", in: path)
            }
            size += bytes.count
            guard documents.count < Self.mostFiles, size <= CapturedDocument.mostBytes else {
                throw CaptureProblem(
                    "the folder contains more than \(Self.mostFiles) mappings or \(CapturedDocument.mostBytes >> 20) MB",
                    in: folder,
                    advice: "import part of the folder"
                )
            }
            let number = Int32(documents.count)
            documents.append((try CapturedDocument.root(of: bytes, file: path, number: number), path))
        }
        guard documents.contains(where: { WireMockReader.reads($0.root) }) else {
            throw CaptureProblem(
                "the folder does not contain WireMock mappings",
                in: folder,
                advice: "specify the folder that contains \"mappings\", or a single file; \(StubDraft.known)"
            )
        }
        let bodies = Self.bodyFile(nextTo: FilePath.join(place, "mappings"), files: files)
        self = try WireMockReader(documents, bodyFile: bodies).draft
    }

    /// The files of JSON in a folder and those below it, by name; a folder that several links lead to counts once.
    private static func documents(
        in folder: String,
        _ files: some FileReading,
        depth: Int,
        visited: inout Set<String>
    ) -> [String] {
        guard let resolved = files.resolve(folder), visited.insert(resolved).inserted else { return [] }
        var found: [String] = []
        for name in files.entries(of: folder) where found.count <= mostFiles {
            let path = FilePath.join(folder, name)
            if files.isFolder(path) {
                guard depth < deepest, name != "__files" else { continue }
                found += documents(in: path, files, depth: depth + 1, visited: &visited)
            } else if name.hasSuffix(".json") {
                found.append(path)
            }
        }
        return found
    }

    /// Reads the bodies that mappings name: files in `__files` next to the mappings or next to their folder.
    ///
    /// A file that a symbolic link or `..` leads to is read only if it lies in that folder. A hard link is a file of the
    /// folder like any other.
    package static func bodyFile(
        nextTo file: String,
        files: some FileReading
    ) -> @Sendable (String) -> [UInt8]? {
        let folder = FilePath.folder(of: file)
        let bodies = [folder, FilePath.join(folder, "..")].map { FilePath.join($0, "__files") }
        return { name in
            for place in bodies {
                guard let root = files.resolve(place), let path = files.resolve(FilePath.join(place, name)),
                    FilePath.contains(root, path), let bytes = try? files.read(path)
                else { continue }
                return bytes
            }
            return nil
        }
    }
}
