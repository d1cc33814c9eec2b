import Basics
import ScenarioFormat

/// The folder in which a client keeps what it stores, with the faults that a story gives it.
///
/// Permissions do not bind the superuser, and many builds run as such, so no fault rests on them alone: what cannot be
/// read is replaced by a folder of the same name, which no program reads and no rename replaces, and what is written into
/// a store that is read-only is lost when the launch ends.
struct StateFolder: Sendable {
    let path: String
    private let files = DiskFiles()
    /// The files at the beginning of each launch, oldest first; the last two suffice.
    private var past: [[String: StoredFile]] = []
    /// The files that the present fault hides.
    private var aside: [String: StoredFile] = [:]
    private var fault: StoreFault?

    init(_ path: String) throws(FileProblem) {
        self.path = path
        try files.makeFolder(path)
    }

    /// Puts the store into the state in which a launch finds it.
    ///
    /// - Throws: ``FileProblem`` when the folder cannot be changed so.
    mutating func begin(with fault: StoreFault?) throws(FileProblem) {
        try files.makeFolder(path)
        past = past.suffix(1) + [contents()]
        self.fault = fault
        aside = past.last ?? [:]
        switch fault {
        case nil: aside = [:]
        case .locked:
            for name in aside.keys {
                remove(name)
                try files.makeFolder("\(path)/\(name)/\(Self.marker)")
            }
        case .empty:
            try clear()
        case .stale:
            try clear()
            try write(past.first ?? [:])
        case .readOnly: files.forbidWriting(in: path)
        }
    }

    /// Restores the hidden files, except those that the client has deleted or written again.
    mutating func end() throws(FileProblem) {
        defer { (aside, fault) = ([:], nil) }
        switch fault {
        case nil, .stale: return
        case .locked:
            for (name, file) in aside where files.isFolder("\(path)/\(name)") {
                files.removeFolder("\(path)/\(name)")
                try write([name: file])
            }
        case .empty:
            for (name, file) in aside where files.resolve("\(path)/\(name)") == nil {
                try write([name: file])
            }
        case .readOnly:
            files.allowWriting(in: path)
            try clear()
            try write(aside)
        }
    }

    /// The name of the folder that keeps a locked file's place from being replaced.
    private static let marker = "locked"
    private static let most = 1_000
    /// The greatest size of a file that can contain tokens, in bytes.
    private static let largest = 4 << 20

    /// The contents and the permissions of a file.
    private struct StoredFile {
        var bytes: [UInt8]
        var permissions: UInt32
    }

    /// The files, by their paths in the folder.
    private func contents(of folder: String = "", depth: Int = 0) -> [String: StoredFile] {
        var found: [String: StoredFile] = [:]
        for entry in files.entries(of: "\(path)/\(folder)") {
            let name = folder.isEmpty ? entry : "\(folder)/\(entry)"
            // A link may lead anywhere.
            guard let base = files.resolve(path), let real = files.resolve("\(path)/\(name)"),
                real.hasPrefix(base + "/"), found.count < Self.most
            else { continue }
            if files.isFolder("\(path)/\(name)") {
                if depth < 8 { found.merge(contents(of: name, depth: depth + 1)) { one, _ in one } }
            } else if let size = files.stamp(of: "\(path)/\(name)")?.size, size <= Self.largest,
                let bytes = try? files.read("\(path)/\(name)")
            {
                let permissions = files.permissions(of: "\(path)/\(name)") ?? 0o644
                found[name] = StoredFile(bytes: bytes, permissions: permissions)
            }
        }
        return found
    }

    private func remove(_ name: String) {
        // A link is removed as such, and what it leads to stays.
        files.removeFolder("\(path)/\(name)")
    }

    private func clear() throws(FileProblem) {
        files.removeFolder(path)
        try files.makeFolder(path)
    }

    private func write(_ contents: [String: StoredFile]) throws(FileProblem) {
        for (name, file) in contents {
            if let slash = name.lastIndex(of: "/") { try files.makeFolder("\(path)/\(name[..<slash])") }
            try files.write(file.bytes, to: "\(path)/\(name)", permissions: file.permissions)
        }
    }
}
