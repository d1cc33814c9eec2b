package import Basics
import JSON
package import OpenAPI
package import Reports
import ScenarioFormat

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

    /// A file that is there, or else a revision of the repository around a folder.
    ///
    /// - Parameter scratch: a folder for what `git` writes.
    package init(_ text: String, around folder: String, scratch: String) throws(GitProblem) {
        let files = DiskFiles()
        if files.resolve(text) != nil, !files.isFolder(text) {
            self.init(files: files, path: text)
        } else {
            self.init(files: try GitRevision(text, around: folder, scratch: scratch), name: text)
        }
    }

    /// The name of the revision in messages.
    package var title: String { name ?? path ?? "" }

    /// The contract as it was.
    ///
    /// - Parameter current: the path of its newer revision.
    /// - Returns: `nil` when there was none.
    package func contract(at current: String) throws(ContractError) -> Contract? {
        do throws(ContractError) {
            return try Contract(ifAt: path ?? current, in: files)
        } catch {
            var error = error
            for index in error.findings.indices {
                let message = error.findings[index].message
                error.findings[index].message = "the earlier revision cannot be read: \(message)"
                if let name, let file = error.findings[index].place?.file {
                    error.findings[index].place?.file = "\(name):\(file)"
                }
            }
            throw error
        }
    }

    /// Compares a contract with what it was.
    ///
    /// A sender sends texts of the documented formats, and a receiver refuses others.
    package func changes(from old: Contract, to new: Contract) -> [ContractChange] {
        let earlier = ContractRevision(contract: old.assertingFormats()) { [name] path in
            name.map { "\($0):\(path)" } ?? path
        }
        let later = ContractRevision(contract: new.assertingFormats()) { $0 }
        return DeepStack.run { ContractComparison.changes(from: earlier, to: later) }
    }
}

extension Contract {
    /// - Returns: `nil` when there is no such file.
    fileprivate init?(ifAt path: String, in files: any FileReading) throws(ContractError) {
        guard let project = ProjectRoot(enclosing: path, files: files) else { return nil }
        self = try ContractLoader(files: files, project: project).load(path)
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
    /// A change that can break a client is an error, one that may, or is undecided, a warning, and any other a note.
    ///
    /// - Throws: ``CheckProblem`` for a path that does not exist, when there is no contract, and for several where the
    ///   earlier revision is one file.
    package func run(_ paths: [String] = []) throws(CheckProblem) -> Report {
        let found = try CheckedFiles(files, in: ["Contracts"]).find(paths).filter { $0.kind == .contract }
        guard !found.isEmpty else {
            throw CheckProblem(sentence: "found no contract to compare")
        }
        guard earlier.path == nil || found.count == 1 else {
            throw CheckProblem(
                sentence:
                    "a file can be compared with only one contract; specify that contract, such as "
                    + "\"backlot check --since FILE \(found[0].path)\""
            )
        }
        var checks = found.map { check($0.path) }
        if paths.isEmpty || paths.contains(where: files.isFolder) { checks += missing(nextTo: found.map(\.path)) }
        var report = Report(title: "check", checks: checks)
        let all = report.allFindings.filter { $0.id.hasPrefix("changes/") }
        let breaking = all.count { $0.severity == .error }
        let clause =
            switch breaking {
            case 0: all.count == 1 ? "which is not known to break a client" : "none of which is known to break a client"
            case all.count: breaking == 1 ? "which can break a client" : "all of which can break a client"
            default: "\(breaking) of which can break a client"
            }
        report.summary = [all.isEmpty ? "no changes" : "\(plural(all.count, "change")), \(clause)"]
        return report
    }

    /// Contracts that the earlier revision has in the same folders, and that are gone.
    private func missing(nextTo paths: [String]) -> [Report.Check] {
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
                    "the contract was removed, which can break a client",
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
        let since = earlier.title
        var check = Report.Check(group: path, name: "changes since \(since)", place: Place(file: path))
        do throws(ContractError) {
            guard let old = try earlier.contract(at: path) else {
                check.skipped = "the contract did not exist in \(since)"
                return check
            }
            guard let new = try Contract(ifAt: path, in: files) else {
                check.skipped = FileProblem.missing.sentence(about: path)
                return check
            }
            check.findings += new.errors
            let left = old.errors.count
            if left > 0 {
                check.findings.append(
                    Finding(
                        .warning,
                        id: "check/incomplete",
                        "the earlier revision contains \(left == 1 ? "an error" : "\(left) errors"), and the invalid "
                            + "parts were not compared",
                        at: Place(file: path)
                    )
                )
            }
            check.findings += earlier.changes(from: old, to: new).map(\.finding)
        } catch {
            check.findings = error.findings
        }
        return check
    }
}

extension ContractChange {
    /// The change as a line of a report.
    fileprivate var finding: Finding {
        let (severity, suffix): (Finding.Severity, String) =
            switch effect {
            case .breaks: (.error, ", which can break a client")
            case .depends: (.warning, "; the effect of this change depends on the client")
            case .undecided: (.warning, "; the effect of this change on clients cannot be determined")
            case .safe: (.note, ", which does not break clients")
            }
        return Finding(
            severity,
            id: id,
            (sentence + suffix).printable,
            at: place,
            related: old.map { [RelatedPlace($0, "in the earlier revision")] } ?? []
        )
    }
}
