package import Basics
import HTTPCodec
import JSON
package import OpenAPI
package import ScenarioFormat

/// The place of the contract for a new scenario: the file itself, or a copy of it in the scenario's folder.
///
/// A scenario may not leave its project, so that one that is moved or shared is complete.
package struct ContractPlacement: Sendable {
    /// The value of the scenario's `contract`.
    package let path: String
    /// The further files of the scenario's folder; none when the contract stays where it is.
    package let copies: [BackendDraft.File]

    /// - Parameters:
    ///   - contract: a contract that was read from `files`.
    ///   - folder: the absolute path of the scenario's folder, without symbolic links; it need not exist.
    /// - Throws: ``Problem`` when a file that is to be copied cannot be read.
    package init(of contract: Contract, in folder: String, files: any FileReading) throws(Problem) {
        let root = Self.root(of: folder, files: files)
        let main = files.resolve(contract.path) ?? contract.path
        let paths = contract.sources.paths.map { files.resolve($0) ?? $0 }
        if paths.allSatisfy({ FilePath.contains(root, $0) }) {
            path = FilePath.relative(main, to: folder)
            copies = []
            return
        }
        let common = paths.dropFirst().reduce(FilePath.folder(of: main)) { Self.common($0, $1) }
        let isAlone = paths.count == 1
        let name = { (path: String) in
            isAlone ? "openapi.\(TextFormat(ofFile: path).ending)" : "contract/" + FilePath.relative(path, to: common)
        }
        var copies: [BackendDraft.File] = []
        for path in paths {
            do {
                copies.append(BackendDraft.File(path: name(path), bytes: try files.read(path)))
            } catch {
                throw Problem(message: "\"\(path)\" cannot be copied: \(error.reason)")
            }
        }
        self.copies = copies
        path = name(main)
    }

    /// The reason why a contract cannot be placed.
    package struct Problem: Error {
        /// A sentence without a closing full stop.
        package var message: String
    }

    /// The folder that a scenario there may not leave, found as the loader will find it.
    private static func root(of folder: String, files: any FileReading) -> String {
        var path = folder
        var below: String?
        while true {
            let entries = files.entries(of: path) + (below.map { [$0] } ?? [])
            if entries.contains("Scenarios") || entries.contains(".git") { return path }
            let parent = FilePath.folder(of: path)
            guard parent != path else { return folder }
            below = FilePath.name(of: path)
            path = parent
        }
    }

    /// The innermost folder that holds both a folder and a file.
    private static func common(_ folder: String, _ path: String) -> String {
        let shared = zip(folder.split(separator: "/"), path.split(separator: "/")).prefix {
            $0.exact == $1.exact
        }
        return "/" + shared.map { String($0.0) }.joined(separator: "/")
    }
}

/// Says an operation's path as a scenario's route.
struct RoutePaths: Sendable {
    private let contract: Contract
    /// The beginning of the paths of requests: the path of the first server.
    private let base: String

    init(_ contract: Contract) {
        self.contract = contract
        let path = contract.servers.first?.basePath ?? ""
        base = path.utf8.contains(UInt8(ascii: "{")) ? "" : path
    }

    /// A segment such as `{name}.json`, which no route can say, becomes a parameter that takes any.
    ///
    /// - Throws: ``Problem`` when no route can represent the operation.
    func template(of operation: Operation) throws(Problem) -> PathTemplate {
        let templates = [base + operation.path, operation.path].compactMap(Self.template)
        guard !templates.isEmpty else { throw .unsayable }
        let meant = templates.first { template in
            contract.operation(operation.method, template: template)?.uri.exact == operation.uri.exact
        }
        guard let meant else { throw .anothers }
        return meant
    }

    /// The reason why no route can represent an operation.
    enum Problem: Error {
        /// The path is not one that a route can have, such as one with a query.
        case unsayable
        /// The nearest route would represent another operation.
        case anothers
    }

    /// Returns whether the route takes more than the path does.
    static func isLoose(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).contains { segment in
            let braces = segment.filter { "{}".utf8.contains($0) }.count
            return braces > 0 && !(braces == 2 && segment.first == open && segment.last == close)
        }
    }

    private static let open = UInt8(ascii: "{")
    private static let close = UInt8(ascii: "}")

    private static func template(of path: String) -> PathTemplate? {
        var names: Set<String> = []
        var segments: [String] = []
        for segment in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            let text = String(Substring(segment))
            if let start = segment.firstIndex(of: open), let end = segment.lastIndex(of: close), start < end {
                let inner = segment.first == open && segment.last == close ? segment.dropFirst().dropLast() : segment
                segments.append("{\(name(inner, besides: &names))}")
            } else {
                segments.append(literal(text))
            }
        }
        do {
            return try PathTemplate(parsing: "/" + segments.joined(separator: "/"))
        } catch {
            return nil
        }
    }

    /// A name that a template takes, and that no other parameter of the path has.
    private static func name(_ text: Substring.UTF8View, besides names: inout Set<String>) -> String {
        var bytes: [UInt8] = []
        for byte in text {
            if byte.isNameByte { bytes.append(byte) } else if bytes.last != underscore { bytes.append(underscore) }
        }
        while bytes.count > 1, bytes.first == underscore { bytes.removeFirst() }
        if let first = bytes.first, first == UInt8(ascii: "-") || first.isDigit {
            bytes.insert(underscore, at: 0)
        }
        return names.take(bytes.isEmpty ? "value" : String(decoding: bytes, as: UTF8.self), numberedAfter: "_")
    }

    private static let underscore = UInt8(ascii: "_")

    /// A segment that is literal; an asterisk in front would take the rest of the path.
    private static func literal(_ text: String) -> String {
        let isWild = text.utf8.first == UInt8(ascii: "*")
        let rest = isWild ? String(text.dropFirst()) : text
        return (isWild ? "%2A" : "") + rest.replacingSpaces
    }
}

extension String {
    fileprivate var replacingSpaces: String {
        utf8.contains(UInt8(ascii: " "))
            ? split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20") : self
    }
}
