package import Basics
import JSON
package import ScenarioFormat

/// The folder on disk that a draft goes into.
///
/// Nothing in it is written through a symbolic link: a link is refused, and a file with several names (hard links) is
/// replaced, so that its other names keep their content.
package struct DraftFolder {
    /// As the user wrote it.
    package let path: String
    /// Absolute and without symbolic links, also while the folder does not exist.
    package let resolved: String
    private let files: DiskFiles
    /// A Boolean value that indicates whether the user named the folder, and so chose a link in its path.
    private let isNamed: Bool

    /// - Parameter isNamed: whether the user named the folder.
    package init(_ path: String, isNamed: Bool = true, files: DiskFiles) {
        self.path = path
        self.isNamed = isNamed
        self.files = files
        var existing = path
        var missing: [String] = []
        while files.resolve(existing) == nil, existing != ".", existing != "/" {
            missing.append(FilePath.name(of: existing))
            existing = FilePath.folder(of: existing)
        }
        let start = files.resolve(existing) ?? "/"
        resolved = missing.reversed().filter { !$0.isEmpty && $0 != "." }.reduce(start) { FilePath.join($0, $1) }
    }

    /// Returns the reason why nothing may be written here, as a sentence; `nil` when it may.
    ///
    /// - Parameter overwriting: the value of `--force`; `nil` for a command that has no such option.
    package func problem(overwriting: Bool?) -> String? {
        if let link = unnamedLink {
            return "\"\(link)\" is a symbolic link, which is not followed; specify a folder to write to its target"
        }
        guard !path.split(separator: "/").contains("..") || files.isFolder(path) else {
            return "\"\(path)\" contains \"..\" after a folder that does not exist; write the path without \"..\""
        }
        guard files.resolve(path) != nil else {
            return files.isLink(bare) ? "\"\(path)\" is a symbolic link to a folder that does not exist" : nil
        }
        guard files.isFolder(path) else { return "\"\(path)\" is a file, not a folder" }
        let isEmpty = files.entries(of: path).allSatisfy { $0.hasPrefix("\(Self.hiddenName).") }
        guard overwriting != true, !isEmpty else { return nil }
        let advice = overwriting == nil ? "" : ", or add --force to write to this folder"
        return "the folder \"\(path)\" is not empty; specify another folder\(advice)"
    }

    /// The first link in the path of a folder that the user did not name.
    private var unnamedLink: String? {
        guard !isNamed else { return nil }
        var path = bare.hasPrefix("/") ? "/" : "."
        for part in bare.split(separator: "/") {
            path = path == "." ? String(part) : FilePath.join(path, String(part))
            if files.isLink(path) { return path }
        }
        return nil
    }

    /// The path without the slashes and `/.` at its end.
    private var bare: String {
        var path = self.path
        while path.utf8.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
        return path
    }

    /// A Boolean value that indicates whether the schema of the format lies next to this folder, for all of the
    /// project's scenarios, and not in it.
    private var sharesSchema: Bool {
        let parent = FilePath.folder(of: resolved)
        return FilePath.name(of: parent) == "Scenarios"
            || files.resolve(FilePath.join(parent, Self.schemaName)) != nil
    }

    /// The value of `$schema` in the scenario's files, which editors resolve relative to the file.
    package var schemaPath: String { sharesSchema ? "../\(Self.schemaName)" : Self.schemaName }

    private static let schemaName = "scenario.schema.json"
    /// The name of the hidden folders, before the number of the process.
    private static let hiddenName = ".backlot-draft"

    /// The reason why something could not be written, as a sentence.
    package struct Problem: Error {
        package var sentence: String

        package init(sentence: String) { self.sentence = sentence }
    }

    // MARK: Recordings

    /// Reserves the folder for a recording, makes it if it is missing, removes what killed processes have left in it,
    /// and tests that it can be written.
    ///
    /// A folder is free if it is empty, or has a recording without a request.
    ///
    /// - Parameter isContinued: whether its recording is continued.
    package func claim(isContinued: Bool) throws(Problem) -> FolderLock {
        let problem = isContinued || hasUnusedRecording ? nil : problem(overwriting: nil)
        guard problem == nil || files.isFolder(bare) else { throw Problem(sentence: problem ?? "") }
        try makeFolder(bare)
        let lock: FolderLock?
        do {
            lock = try FolderLock(bare)
        } catch {
            throw self.problem(bare, "written", error)
        }
        guard let lock else {
            let sentence = "another process is recording to \"\(path)\"; stop it, or specify another folder"
            throw Problem(sentence: sentence)
        }
        if let problem {
            let isRecording = files.resolve(FilePath.join(bare, BackendDraft.backendName)) != nil
            throw Problem(sentence: problem + (isRecording ? ", or add --replay \(path) to add requests" : ""))
        }
        let hidden = FilePath.join(bare, Self.hiddenName)
        files.removeAbandonedDrafts(of: hidden)
        let stage = files.draftPath(of: hidden)
        defer { files.removeFolder(stage) }
        try write([0], to: FilePath.join(stage, BackendDraft.backendName))
        return lock
    }

    /// A Boolean value that indicates whether the folder has what a recording begins with, and nothing else.
    private var hasUnusedRecording: Bool {
        let names = files.entries(of: path).filter { !$0.hasPrefix("\(Self.hiddenName).") }
        guard names.contains(BackendDraft.backendName), names.allSatisfy(Self.firstNames.contains),
            let bytes = try? files.read(FilePath.join(path, BackendDraft.backendName))
        else { return false }
        return (try? JSONParser().parse(bytes))?.root["routes"]?.object?.isEmpty ?? false
    }

    private static let firstNames = [BackendDraft.backendName, schemaName]

    /// Writes every file, and the folders that they need; the schema of the format only if it is missing.
    ///
    /// All files are written to a hidden folder first, except a schema next to the folder, which is written before the
    /// draft appears. A new folder then appears in one step, and a folder that exists gets one whole file after the
    /// other. If the process is killed, the hidden folder remains until the next
    /// draft is written there.
    ///
    /// - Returns: the paths of the files that were written, as users type them.
    package func write(_ drafted: [BackendDraft.File]) throws(Problem) -> [String] {
        let isShared = sharesSchema
        let schema = FilePath.join(isShared ? FilePath.folder(of: resolved) : resolved, Self.schemaName)
        let lacksSchema = files.resolve(schema) == nil
        let schemaBytes = Array(ShapeSchema.text.utf8)
        let moved =
            drafted + (lacksSchema && !isShared ? [BackendDraft.File(path: Self.schemaName, bytes: schemaBytes)] : [])
        for file in drafted { try refuseLinks(to: file.path) }
        if lacksSchema, files.isLink(schema) { throw linkProblem(schema) }
        let isNew = files.resolve(path) == nil
        let hidden = FilePath.join(isNew ? FilePath.folder(of: bare) : bare, Self.hiddenName)
        files.removeAbandonedDrafts(of: hidden)
        let stage = files.draftPath(of: hidden)
        defer { files.removeFolder(stage) }
        for file in moved { try write(file.bytes, to: FilePath.join(stage, file.path)) }
        if lacksSchema, isShared { try write(schemaBytes, to: schema) }
        if isNew {
            try move(stage, to: bare)
        } else {
            // The first file refers to the others, so it is the last one that appears.
            for file in moved.reversed() {
                let target = FilePath.join(bare, file.path)
                try makeFolder(FilePath.folder(of: target))
                try move(FilePath.join(stage, file.path), to: target)
            }
        }
        var written = drafted.map { FilePath.join(path, $0.path) }
        if lacksSchema { written.append(FilePath.relative(schema, to: files.resolve(".") ?? "/")) }
        return written
    }

    /// Writes a draft again, so that the folder has a complete one at every moment, also after the process is killed.
    ///
    /// Files that scenarios name and the archive come first, then the backend, which is the first file, then its stories; a story that
    /// changes is removed before the backend does. What no scenario names anymore is removed last.
    ///
    /// - Parameters:
    ///   - earlier: the files of the draft that the folder has.
    ///   - step: called before each change on disk.
    package func update(
        _ drafted: [BackendDraft.File],
        after earlier: [BackendDraft.File],
        step: () throws(Problem) -> Void = {}
    ) throws(Problem) {
        let known = Dictionary(earlier.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
        // A file that was removed by hand is written again.
        let changed = drafted.filter { file in
            known[file.path] != file.bytes || files.stamp(of: FilePath.join(bare, file.path)) == nil
        }
        for file in changed { try refuseLinks(to: file.path) }
        let stage = files.draftPath(of: FilePath.join(bare, Self.hiddenName))
        defer { files.removeFolder(stage) }
        for file in changed {
            try step()
            try write(file.bytes, to: FilePath.join(stage, file.path))
        }
        func isScenario(_ file: BackendDraft.File) -> Bool {
            !file.path.contains("/") && file.path != BackendDraft.archiveName
        }
        func moveIn(_ file: BackendDraft.File) throws(Problem) {
            try step()
            let target = FilePath.join(bare, file.path)
            try makeFolder(FilePath.folder(of: target))
            try move(FilePath.join(stage, file.path), to: target)
        }
        func remove(_ file: BackendDraft.File) throws(Problem) {
            try step()
            files.removeFolder(FilePath.join(bare, file.path))
        }
        for file in changed where !isScenario(file) { try moveIn(file) }
        let current = Dictionary(drafted.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
        for file in earlier.dropFirst() where isScenario(file) && current[file.path] != file.bytes { try remove(file) }
        for file in changed where isScenario(file) { try moveIn(file) }
        for file in earlier where !isScenario(file) && current[file.path] == nil { try remove(file) }
    }

    /// The files of the draft that the folder has: its backend, the story of a recording, and the files that they name.
    ///
    /// - Throws: where the folder has no backend in JSON, or a file that it names cannot be read.
    package func drafted() throws(Problem) -> [BackendDraft.File] {
        var found: [BackendDraft.File] = []
        func read(_ path: String) throws(Problem) {
            do {
                found.append(BackendDraft.File(path: path, bytes: try files.read(FilePath.join(bare, path))))
            } catch {
                throw Problem(sentence: error.sentence(about: FilePath.join(self.path, path)))
            }
        }
        try read(BackendDraft.backendName)
        let hasStory = files.resolve(FilePath.join(bare, BackendDraft.storyName)) != nil
        if hasStory { try read(BackendDraft.storyName) }
        for path in BackendDraft.named(in: found) { try read(path) }
        if files.resolve(FilePath.join(bare, BackendDraft.archiveName)) != nil { try read(BackendDraft.archiveName) }
        return found
    }

    /// Refuses a file that is a link, that lies in a linked folder, or that is a folder.
    private func refuseLinks(to file: String) throws(Problem) {
        var target = bare
        for part in file.split(separator: "/") {
            target = FilePath.join(target, String(part))
            if files.isLink(target) { throw linkProblem(target) }
        }
        if files.isFolder(target) {
            throw Problem(sentence: "\"\(target)\" is a folder, not a file; nothing was written")
        }
    }

    private func linkProblem(_ path: String) -> Problem {
        let shown = files.shown(path)
        return Problem(sentence: "\"\(shown)\" is a symbolic link, which is not followed; nothing was written")
    }

    /// The message when the files are written: their names, if they are few, and the next steps.
    ///
    /// - Parameters:
    ///   - hasStories: whether a client can be run against stories in the folder.
    ///   - notes: further notes about the routes.
    package func summary(
        of written: [String],
        routeCount: Int,
        hasStories: Bool = false,
        notes: [String] = []
    ) -> [String] {
        let listed = 12
        return written.prefix(listed).map { "wrote \($0)" }
            + (written.count > listed ? ["wrote \(written.count - listed) more files"] : [])
            + ["", plural(routeCount, "route")] + notes
            + ["", "next:", "  backlot check \(path)", "  backlot serve \(path)"]
            + (hasStories ? ["  backlot run \(path) -- COMMAND"] : [])
    }

    private func makeFolder(_ folder: String) throws(Problem) {
        do {
            try files.makeFolder(folder)
        } catch {
            throw problem(folder, "created", error)
        }
    }

    private func move(_ path: String, to target: String) throws(Problem) {
        do {
            try files.move(path, to: target)
        } catch {
            throw problem(target, "written", error)
        }
    }

    private func write(_ bytes: [UInt8], to target: String) throws(Problem) {
        try makeFolder(FilePath.folder(of: target))
        do {
            try files.write(bytes, to: target)
        } catch {
            throw problem(target, "written", error)
        }
    }

    /// The sentence about a failure, which names no hidden folder.
    private func problem(_ target: String, _ verb: String, _ error: FileProblem) -> Problem {
        let isHidden = target.contains("/\(Self.hiddenName).")
        let isFolder = isHidden || verb == "created" || files.isFolder(target)
        let subject = "\(isFolder ? "the folder " : "")\"\(isHidden ? path : target)\""
        let advice = error.advice.map { "; \($0)" } ?? ""
        return Problem(sentence: "\(subject) cannot be \(isHidden ? "written" : verb): \(error.reason)\(advice)")
    }
}
