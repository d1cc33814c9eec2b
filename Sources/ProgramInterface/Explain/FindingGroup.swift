import Basics

/// The findings of one group, such as `verify/…`: their effect, the kind of fix, and the command that reports them.
///
/// The list of findings says what each of them means; this says what all of a group have in common.
struct FindingGroup: Sendable {
    /// The part of the ids before the slash.
    let name: String
    /// The command that reports the findings first.
    let command: String
    /// The effect, as a sentence without a closing full stop.
    let reason: String
    /// The fix, as a sentence without a closing full stop.
    let fix: String

    static let all: [FindingGroup] = {
        let lines = table.split(separator: "\n").map { String($0.drop { $0 == " " }) }
        return stride(from: 0, to: lines.count - 2, by: 3).map { number in
            let parts = lines[number].split(separator: "|").map(String.init)
            return FindingGroup(
                name: String(parts[0].dropLast()),
                command: String(parts[1].dropFirst()),
                reason: lines[number + 1],
                fix: lines[number + 2]
            )
        }
    }()

    static func covering(_ kind: FindingKind) -> FindingGroup? {
        all.first { kind.id.utf8.starts(with: "\($0.name)/".utf8) }
    }

    // Three lines for each: name and command; effect; fix.
    private static let table = """
        autopsy | autopsy CAPTURE
            a part of the captured traffic was not judged or written
            record the traffic again with bodies, or choose a folder that can be written
        baseline | run STORY --baseline FILE -- COMMAND
            an outdated baseline would hide the same failure if it came back
            remove the entry, or write the current failures with --update-baseline
        capture | autopsy CAPTURE
            an entry that cannot be read is not judged
            export the capture again as HAR 1.2, or remove the entry
        changes | check --since REVISION
            clients that were built for the earlier contract can fail
            keep the earlier form next to the new form until no client needs it, or add a new version of the operation
        check | check
            a scenario that differs from its contract tests a server that does not exist
            correct the scenario or the contract at the location in the finding
        client | run STORY -- COMMAND
            a client that does not run completely cannot be judged
            run the client's command by itself with BACKLOT_URL set, and fix its exit, its output or its time
        command | COMMAND --help
            the command did nothing
            correct the command line, the file or the server that the message names
        contract | check
            a mistake in the contract makes correct messages invalid, or invalid messages correct
            correct the OpenAPI document at the location in the finding, or add an overlay
        drift | proxy URL --compare SCENARIO
            a client that is tested with this scenario is tested with an outdated server
            correct the scenario at the location in the finding, or run the command with --update
        expect | run STORY -- COMMAND
            the client did not do what the story requires, or it cannot be decided
            compare the exchanges in the finding with the expectation, and fix the client or the expectation
        explore | explore BACKEND -- COMMAND
            no fault was tried, so nothing is known about the client
            let the ordinary run use a token that the server issued
        file | check
            a file that cannot be read is not checked
            correct the path or the file's permissions
        import | import CAPTURE
            a part of the imported file is missing in the backend
            add the part manually, or export the file again
        init | init OPENAPI
            the generated backend differs from the real server at this point
            edit the generated backend at the location in the finding
        json | check
            a file that is not valid JSON cannot be used
            correct the file at the location in the finding
        prove | prove STORY --before REV --after REV -- COMMAND
            the runs do not prove that the change fixes the bug, or a person must read the change as well
            change the client so that it performs the whole story correctly, and commit the change
        report | report JOURNAL
            the report of the saved journal is incomplete
            save the journal again with backlot journal --json
        responses | test --check responses
            the client mishandles a documented response or a broken connection, or the adapter does not fit the client
            correct the client or the adapter; backlot help documented-responses has a fix for each of these findings
        run | run STORY -- COMMAND
            a result was lost or a story was not run
            free the file or folder, and run again
        scenario | check
            the server does not do what the file's author intended
            correct the scenario at the location in the finding
        schema | validate --schema SCHEMA FILE
            values cannot be validated with this schema
            correct the schema, or name the schema that the file uses
        serve | serve SCENARIO
            the server does not serve what the file's author intended
            correct the file; the server reloads it
        stories | stories --readme FILE
            readers see an outdated table of stories
            update the table with --write
        story | run STORY -- COMMAND
            a story that is not played proves nothing
            start the client so that it performs the actions that the story's about describes
        test | test
            nothing was tested
            name a registered client, story or operation
        traffic | run STORY -- COMMAND
            a message was not judged, or the client sends what the server cannot read
            fix the request that the finding names
        variants | test --check variants
            the app fails on a response that the contract allows, or hides an error
            change the client's decoding so that it accepts every value that the schema allows
        verify | verify CONTRACT --against URL
            clients that rely on the contract fail with the real server
            correct the server, or correct the contract if the server's behavior is intended
        yaml | check
            a file that is not valid YAML cannot be used
            correct the file at the location in the finding
        """
}
