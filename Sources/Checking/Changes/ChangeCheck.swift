package import Basics
import JSON
import OpenAPI
package import Reports

/// The revision that contracts are compared with.
package struct EarlierRevision: Sendable {
    package var files: any FileReading
    /// The file of it; `nil` for the same path.
    package var path: String?
    /// The revision's name in messages; `nil` for a file, which has its own.
    package var name: String?

    package init(files: any FileReading, path: String? = nil, name: String? = nil) {
        self.files = files
        self.path = path
        self.name = name
    }
}

/// Names what changed in contracts since an earlier revision, and what of it can break a client.
package struct ChangeCheck: Sendable {
    private let files: any FileReading
    private let earlier: EarlierRevision

    package init(files: any FileReading, since earlier: EarlierRevision) {
        self.files = files
        self.earlier = earlier
    }

    /// Compares the contracts at and below some paths; with none, those in the project's `Contracts` folder.
    ///
    /// What can break a client is an error, what may or cannot be decided a warning, anything else a note.
    ///
    /// - Throws: ``CheckProblem`` for a path that leads nowhere, when there is no contract, and for several where the
    ///   earlier revision is one file.
    package func run(_ paths: [String] = []) throws(CheckProblem) -> Report {
        let found = try CheckedFiles(files, in: ["Contracts"]).find(paths).filter { $0.kind == .contract }
        guard !found.isEmpty else {
            throw CheckProblem(sentence: "there is no contract to compare")
        }
        guard earlier.path == nil || found.count == 1 else {
            throw CheckProblem(
                sentence: "a file is compared with one contract; name it, such as \"backlot check --since FILE "
                    + "\(found[0].path)\""
            )
        }
        var checks = found.map { check($0.path) }
        if paths.isEmpty || paths.contains(where: files.isFolder) { checks += missing(beside: found.map(\.path)) }
        var report = Report(title: "check", checks: checks)
        let all = report.allFindings.filter { $0.id.hasPrefix("changes/") }
        let breaking = all.count { $0.severity == .error }
        let changes = "\(all.count) \(all.count == 1 ? "change" : "changes")"
        report.summary = ["\(changes), \(breaking == 0 ? "none" : String(breaking)) of which can break a client"]
        return report
    }

    /// Contracts that the earlier revision has in the same folders, and that are gone.
    private func missing(beside paths: [String]) -> [Report.Check] {
        guard earlier.path == nil else { return [] }
        var folders: [String] = []
        for folder in paths.map(FilePath.folder) where !folders.contains(folder) { folders.append(folder) }
        return folders.flatMap { folder -> [Report.Check] in
            let present = Set(files.entries(of: folder))
            return earlier.files.entries(of: folder).compactMap { name -> Report.Check? in
                let path = FilePath.join(folder, name)
                guard !present.contains(name), TextFormat.isDocument(name),
                    CheckedFile(path, earlier.files).kind == .contract
                else { return nil }
                let finding = Finding(
                    .error,
                    id: "changes/contract-removed",
                    "the contract is gone, which can break a client",
                    at: Place(file: path)
                )
                return Report.Check(
                    group: path,
                    name: "changes since \(earlier.name ?? "")",
                    findings: [finding],
                    place: Place(file: path)
                )
            }
        }
    }

    private func check(_ path: String) -> Report.Check {
        let since = earlier.name ?? earlier.path ?? ""
        var check = Report.Check(group: path, name: "changes since \(since)", place: Place(file: path))
        let earlierPath = earlier.path ?? path
        let old: ContractRevision
        do {
            let name = earlier.name
            guard let contract = try Self.load(earlierPath, from: earlier.files) else {
                check.skipped = "it is new since \(since)"
                return check
            }
            old = ContractRevision(contract: contract) { path in name.map { "\($0):\(path)" } ?? path }
        } catch {
            check.findings = error.findings.map { finding in
                var finding = finding
                finding.message = "the earlier revision cannot be read: \(finding.message)"
                if let name = earlier.name, let file = finding.place?.file { finding.place?.file = "\(name):\(file)" }
                return finding
            }
            return check
        }
        let new: ContractRevision
        do {
            guard let contract = try Self.load(path, from: files) else {
                check.skipped = "there is no such file"
                return check
            }
            new = ContractRevision(contract: contract) { $0 }
        } catch {
            check.findings = error.findings
            return check
        }
        check.findings += new.contract.findings.filter { $0.severity == .error }
        let left = old.contract.findings.count { $0.severity == .error }
        if left > 0 {
            check.findings.append(
                Finding(
                    .warning,
                    id: "check/incomplete",
                    "the earlier revision has \(left == 1 ? "an error" : "\(left) errors"), and what is wrong in it is "
                        + "not compared",
                    at: Place(file: path)
                )
            )
        }
        let changes = DeepStack.run { ContractComparison.changes(from: old, to: new) }
        check.findings += changes.map(\.finding)
        return check
    }

    /// - Returns: `nil` when there is no such file.
    private static func load(_ path: String, from files: any FileReading) throws(ContractError) -> Contract? {
        guard let project = ProjectRoot(enclosing: path, files: files) else { return nil }
        return try ContractLoader(files: files, project: project).load(path)
    }
}

extension ContractChange {
    /// The change as a line of a report.
    fileprivate var finding: Finding {
        let (severity, suffix): (Finding.Severity, String) =
            switch effect {
            case .breaks: (.error, ", which can break a client")
            case .depends: (.warning, "; whether that breaks a client depends on the client")
            case .safe: (.note, ", which breaks no client")
            }
        return Finding(
            severity,
            id: id,
            (sentence + suffix).printable,
            at: place,
            related: old.map { [RelatedPlace($0, "as it was")] } ?? []
        )
    }
}
