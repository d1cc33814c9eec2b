/// A kind of finding, by its id.
///
/// The ids of token rules, `B1` to `B29`, are in the guide `rules`.
package struct FindingKind: Sendable, Hashable {
    /// `contract/bad-name`; one that ends with `/*` means all ids that begin so.
    package let id: String
    /// The severities that it can have, the heaviest first.
    package let severities: [String]
    /// The file that makes it, below `Sources`.
    package let file: String
    /// A sentence that says what was found.
    package let sentence: String
}

extension FindingKind {
    /// All kinds, sorted by their ids.
    package static let all: [FindingKind] = {
        let lines = table.split(separator: "\n")
        return stride(from: 0, to: lines.count - 1, by: 2).map { number in
            let parts = lines[number].split(separator: "|").map(\.trimmingSpaces)
            return FindingKind(
                id: parts[0],
                severities: parts[1].split(separator: ",").map(\.trimmingSpaces),
                file: parts[2],
                sentence: lines[number + 1].trimmingSpaces
            )
        }
    }()

    /// The list for a terminal.
    package static var text: String {
        "The ids of findings, each with its severities and the file in Sources that reports it. The rules B1 to B29"
            + " are in the guide \"rules\".\n\n"
            + all.map { kind in
                "\(kind.id) (\(kind.severities.joined(separator: ", "))), \(kind.file)\n    \(kind.sentence)\n"
            }
            .joined()
    }

    /// Returns whether an id is of this kind.
    package func covers(_ other: String) -> Bool {
        id.utf8.last == UInt8(ascii: "*") ? other.utf8.starts(with: id.utf8.dropLast()) : other.exact == id.exact
    }

    // Two lines for each: id, severities and file; sentence.
    private static let table = """
        autopsy/output | error | backlot/AutopsyCommand.swift
            A file of the captured story could not be written.
        autopsy/unknown-body | note | Checking/Traffic/CapturedSession+Contract.swift
            The body of a captured message was not recorded, so it was not judged.
        baseline/no-longer-fails | error | Checking/Baseline/Baseline.swift
            A failure in the baseline no longer occurs.
        capture/format | error | Checking/Traffic/Capture.swift
            A captured file has a format that cannot be read.
        capture/no-moment | note | Checking/Traffic/HARReader.swift
            An entry of a capture has no valid time.
        capture/not-http | note | Checking/Traffic/HARReader.swift
            Entries in a capture are not HTTP and were ignored.
        changes/additional | error, warning, note | Checking/Changes/PairVisit+Objects.swift
            Objects may have other properties than before that the schema does not name.
        changes/alternative | error, warning, note | Checking/Changes/PairVisit+Alternatives.swift
            The alternatives of a schema have changed.
        changes/body-added | error, warning, note | Checking/Changes/ContractComparison+Bodies.swift
            A message has a body that it did not have.
        changes/body-removed | error, warning, note | Checking/Changes/ContractComparison+Bodies.swift
            A message no longer has a body.
        changes/condition | error, warning, note | Checking/Changes/PairVisit+Conditions.swift
            A keyword such as `not`, `if` or `contains` has changed.
        changes/contract-removed | error | Checking/Changes/ChangeCheck.swift
            A contract in the earlier revision no longer exists.
        changes/default | warning | Checking/Changes/PairVisit+Limits.swift
            The default of a value in a request has changed.
        changes/deprecated | note | Checking/Changes/ContractComparison.swift
            An operation is deprecated.
        changes/discriminator | error, warning, note | Checking/Changes/PairVisit+Alternatives.swift
            The discriminator of a schema has changed.
        changes/empty | error, note | Checking/Changes/ContractComparison+Parameters.swift
            A parameter may be empty, or no longer be empty.
        changes/encoding | error, warning, note | Checking/Changes/ContractComparison+Bodies.swift
            The media types of a part of a body have changed.
        changes/enum | error, warning, note | Checking/Changes/PairVisit.swift
            The listed values have changed.
        changes/header-added | error, warning, note | Checking/Changes/ContractComparison+Responses.swift
            A response has a header that it did not have.
        changes/header-removed | error, warning, note | Checking/Changes/ContractComparison+Responses.swift
            A response no longer has a header.
        changes/limit | error, warning, note | Checking/Changes/PairVisit+Limits.swift
            A limit, `pattern` or `format` of a value has changed.
        changes/media-type | note | Checking/Changes/ContractComparison+Bodies.swift
            The media type of a body has changed.
        changes/media-type-added | error, warning, note | Checking/Changes/ContractComparison+Bodies.swift
            A body may have another media type.
        changes/media-type-removed | error, warning, note | Checking/Changes/ContractComparison+Bodies.swift
            A body may no longer have a media type.
        changes/null | error, warning, note | Checking/Changes/PairVisit.swift
            A value may be null, or no longer be null.
        changes/operation-added | note | Checking/Changes/ContractComparison.swift
            An operation is new.
        changes/operation-id | warning | Checking/Changes/ContractComparison.swift
            The `operationId` of an operation has changed.
        changes/operation-removed | error | Checking/Changes/ContractComparison.swift
            An operation was removed.
        changes/parameter-added | error, warning, note | Checking/Changes/ContractComparison+Parameters.swift
            A parameter is new.
        changes/parameter-removed | error, warning, note | Checking/Changes/ContractComparison+Parameters.swift
            A parameter was removed.
        changes/property-added | error, warning, note | Checking/Changes/PairVisit+Objects.swift
            A property is new or allowed.
        changes/property-removed | error, warning, note | Checking/Changes/PairVisit+Objects.swift
            A property was removed or is no longer allowed.
        changes/required | error, warning, note | Checking/Changes/PairVisit+Objects.swift
            A part of a message is required, or no longer required.
        changes/security | error, warning, note | Checking/Changes/ContractComparison+Security.swift
            The credentials that an operation requires have changed.
        changes/server-added | note | Checking/Changes/ContractComparison.swift
            A server is new.
        changes/server-removed | error, warning | Checking/Changes/ContractComparison.swift
            A server was removed.
        changes/status-added | error, warning, note | Checking/Changes/ContractComparison+Responses.swift
            A status of a response is new.
        changes/status-removed | error, warning, note | Checking/Changes/ContractComparison+Responses.swift
            A status of a response was removed.
        changes/style | error | Checking/Changes/ContractComparison+Parameters.swift
            A value is serialized in another way.
        changes/too-large | warning | Checking/Changes/ContractComparison.swift
            The schemas were too large to be compared completely.
        changes/type | error, warning, note | Checking/Changes/PairVisit.swift
            The type of a value has changed.
        changes/unclear | warning | Checking/Changes/PairVisit.swift
            The effect of a change cannot be decided.
        check/any-kind-renews | note | Checking/Check/OpenGrants.swift
            A refresh route grants tokens for a valid token of another kind.
        check/breaks-nothing | error | Checking/Check/ResponseChecker.swift
            A response is marked with "breaks", but the contract allows it.
        check/incomplete | warning | Checking/Changes/ChangeCheck.swift
            The earlier revision has errors, so not all of it was compared.
        check/missing-contract | error | Checking/Check/ContractCache.swift
            The contract that a scenario names does not exist.
        check/never-played | error | Checking/Check/UnplayableParts.swift
            A response can never be sent, or an event can never happen or change anything.
        check/no-value | warning | Checking/Check/ResponseChecker.swift
            A stored item lacks a value that a response shows.
        check/nothing-expected | warning | Checking/Check/UnplayableParts.swift
            A story expects nothing, so it judges no client.
        check/open-grant | error | Checking/Check/OpenGrants.swift
            A response grants new tokens to requests whose token was not checked.
        check/same-id | error | ScenarioFormat/Loading/StoryNames.swift
            Two stories in a folder have the same id.
        check/undocumented-route | error, note | Checking/Check/ResponseSurvey.swift
            The contract has no operation for a route; the finding is a note if the route is marked with "breaks".
        check/unexpected-status | error | Checking/Check/StatusMentions.swift
            A scenario waits for a status that no response on the route uses.
        check/unreadable-file | error | Checking/Check/CheckedFiles.swift
            A file cannot be read.
        client/bad-fact | error | StoryRunning/Clients/ClientFault.swift
            A client reports a fact that cannot be compared.
        client/exit | note | StoryRunning/Clients/ClientFault.swift
            A command ended with an exit code that the story does not judge.
        client/hung | error | StoryRunning/Clients/ClientFault.swift
            A client does not finish.
        client/interrupted | warning | StoryRunning/Clients/ClientFault.swift
            A client had not ended when the run was interrupted.
        client/killed | error | StoryRunning/Clients/ClientFault.swift
            A signal ended a command.
        client/left-running | error | StoryRunning/Clients/ClientFault.swift
            A command left processes behind.
        client/no-request | error | StoryRunning/Clients/ClientFault.swift
            A client sends no readable request.
        client/no-store | error | StoryRunning/Clients/ClientFault.swift
            A client does not keep its tokens in the store that the test provides.
        client/output | error | StoryRunning/Clients/ClientFault.swift
            A command wrote more output than a run keeps.
        client/threw | error | StoryRunning/Clients/ClientFault.swift
            A flow ends with an error.
        command/refused | error | CommandLineInterface/Console/Terminal.swift
            A command cannot be performed.
        command/usage | error | CommandLineInterface/Console/Terminal.swift
            A command line cannot be understood.
        contract/bad-name | error | OpenAPI/Shapes/ShapeChecker+Names.swift
            A name contains characters that are not allowed in it.
        contract/bad-path | error, warning | OpenAPI/Shapes/ShapeChecker+Names.swift
            A path template is malformed.
        contract/bad-value | error, warning | OpenAPI/Shapes/ShapeChecker.swift
            A document contains a value that the standard does not allow.
        contract/body-syntax | error, warning, note | OpenAPI/Judging/Bodies/StreamBody.swift
            A body is not in the form that its media type requires.
        contract/circular-reference | error | OpenAPI/Loading/ContractLoader.swift
            References form a cycle.
        contract/duplicate-name | warning | OpenAPI/Judging/Bodies/BodyEvaluation.swift
            A name is repeated in an object.
        contract/duplicate-operation-id | error | OpenAPI/Lint/Contract+Lint.swift
            Two operations have the same operationId.
        contract/duplicate-parameter | error | OpenAPI/Shapes/ShapeChecker+Objects.swift
            A list contains two parameters with the same name and location.
        contract/empty-schema | warning | OpenAPI/Lint/Contract+Lint.swift
            The keywords of a schema exclude every value.
        contract/endless-schema | error | OpenAPI/Lint/Contract+Lint.swift
            A schema requires itself, so no finite value matches it.
        contract/ignored-key | warning | OpenAPI/Shapes/ShapeChecker.swift
            A key next to a reference has no effect.
        contract/invalid-default | warning | OpenAPI/Lint/Contract+Lint.swift
            A default does not match its own schema.
        contract/invalid-example | error, warning | OpenAPI/Lint/Contract+Lint.swift
            An example does not match its own schema.
        contract/invalid-header | error, warning, note | OpenAPI/Judging/ParameterEvaluation.swift
            A header field does not match its schema.
        contract/invalid-keyword | error | JSONSchema/Compiling/NodeCompiler.swift
            A schema keyword has an invalid value.
        contract/invalid-parameter | error | OpenAPI/Judging/Requests/RequestEvaluation.swift
            A parameter does not match its schema.
        contract/invalid-pattern | error | JSONSchema/Compiling/NodeCompiler.swift
            A regular expression in a schema is malformed.
        contract/missing-body | error, warning, note | OpenAPI/Judging/Requests/RequestEvaluation.swift
            A message lacks the body that the contract requires.
        contract/missing-credentials | note | OpenAPI/Judging/Requests/RequestEvaluation.swift
            A request lacks the credentials that the contract requires.
        contract/missing-header | error, warning, note | OpenAPI/Judging/ParameterEvaluation.swift
            A message lacks a header field that the contract requires.
        contract/missing-key | error, warning | OpenAPI/Shapes/ShapeChecker.swift
            An object in a document lacks a key that the standard requires.
        contract/missing-media-type | error, warning, note | OpenAPI/Judging/Requests/RequestEvaluation.swift
            A message with a body lacks Content-Type.
        contract/missing-parameter | error | OpenAPI/Judging/Requests/RequestEvaluation.swift
            A request lacks a parameter that the contract requires.
        contract/missing-response | error, warning | OpenAPI/Shapes/ShapeChecker.swift
            An operation documents no response.
        contract/misspelt-keyword | warning | OpenAPI/Shapes/ShapeChecker.swift
            An unknown schema keyword resembles a known keyword.
        contract/more-findings | warning | StubServing/Library/ScenarioPreparation.swift
            A contract has more findings than a server prints when it starts.
        contract/more-violations | error, warning, note | OpenAPI/Judging/ContractViolation.swift
            A message contains more violations than a report lists.
        contract/no-example | warning | Checking/Check/CoverageTally.swift
            A documented response has neither a stub response nor an example.
        contract/no-operation | error | StubServing/Library/ScenarioPreparation.swift
            A served contract contains no operation.
        contract/no-unauthorized-response | warning | OpenAPI/Lint/Contract+Lint.swift
            An operation requires credentials, but documents no response for missing credentials.
        contract/nullable-enum | warning | OpenAPI/Lint/Contract+Lint.swift
            An OpenAPI 3.0 schema is nullable, but its enum lacks null.
        contract/optional-path-parameter | error | OpenAPI/Shapes/ShapeChecker+Objects.swift
            A path parameter is not marked as required.
        contract/overlay | error, warning, note | OpenAPI/Overlays/Overlay.swift
            An overlay is not valid, cannot be applied, or has no effect.
        contract/part-media-type | error | OpenAPI/Judging/Bodies/MultipartBody.swift
            A part of a multipart body has an undocumented media type.
        contract/path-collision | error | OpenAPI/Lint/Contract+Lint.swift
            Two path templates match the same requests.
        contract/request-body | error | OpenAPI/Judging/Bodies/BodyEvaluation.swift
            A request body does not match its schema.
        contract/response-body | error, warning, note | OpenAPI/Judging/Bodies/BodyEvaluation.swift
            A response body does not match its schema.
        contract/rival-keys | error | OpenAPI/Shapes/ShapeChecker.swift
            Two keys in an object cannot be combined.
        contract/unavailable | note | OpenAPI/Judging/Responses/ResponseEvaluation.swift
            A response could not be checked, because a reference to its documentation cannot be resolved.
        contract/undecided | warning | OpenAPI/Lint/Contract+Lint.swift
            A value could not be validated within the limits for steps and depth.
        contract/undeclared-path-parameter | error | OpenAPI/Lint/Contract+Lint.swift
            A path template contains a name that no parameter describes.
        contract/undefined-variable | warning | OpenAPI/Shapes/ShapeChecker+Objects.swift
            A server URL contains an undefined variable.
        contract/undocumented-body | warning | OpenAPI/Judging/Requests/RequestEvaluation.swift
            A message has a body, but the contract documents no body.
        contract/undocumented-media-type | error, warning, note | OpenAPI/Judging/Requests/RequestEvaluation.swift
            The Content-Type of a message is not documented.
        contract/undocumented-operation | warning | Checking/Serving/OpenAPIEnforcer.swift
            The contract contains no operation for a request.
        contract/undocumented-parameter | warning | OpenAPI/Judging/Requests/RequestEvaluation.swift
            A query parameter is not documented.
        contract/undocumented-status | error, warning, note | OpenAPI/Judging/Responses/ResponseEvaluation.swift
            The status of a response is not documented.
        contract/unknown-dialect | warning | OpenAPI/Loading/DocumentLibrary.swift
            A document names an unknown JSON Schema dialect.
        contract/unknown-key | error, warning | OpenAPI/Shapes/ShapeChecker.swift
            An object in a document contains a key that the standard does not define.
        contract/unknown-keyword | warning | OpenAPI/Shapes/ShapeChecker.swift
            A schema contains a keyword that has no effect in this OpenAPI version.
        contract/unknown-metaschema | error | JSONSchema/Compiling/SchemaCompiler.swift
            A schema names an unknown metaschema.
        contract/unknown-operation | error | OpenAPI/Shapes/ShapeChecker+Objects.swift
            A link names an operationId that no operation uses.
        contract/unknown-property | warning | OpenAPI/Lint/Contract+Lint.swift
            An encoding describes a property that the schema does not define.
        contract/unknown-security-scheme | error | OpenAPI/Shapes/ShapeChecker+Objects.swift
            A security requirement names a scheme that does not exist.
        contract/unknown-vocabulary | error | JSONSchema/Compiling/SchemaCompiler.swift
            A metaschema requires an unknown vocabulary.
        contract/unplayed-operation | warning | Checking/Check/CoverageTally.swift
            No scenario contains a route for an operation.
        contract/unread | error, warning | StubServing/Library/ScenarioPreparation.swift
            A server in a test has no contract reader.
        contract/unreadable | error | OpenAPI/Loading/DocumentLibrary.swift
            A document or an overlay cannot be read.
        contract/unresolvable-reference | error | OpenAPI/Loading/ContractLoader.swift
            A reference cannot be resolved.
        contract/unused-component | note | OpenAPI/Lint/Contract+Lint.swift
            Nothing refers to a component.
        contract/unused-path-parameter | error | OpenAPI/Lint/Contract+Lint.swift
            A path parameter is not in the path template.
        contract/version | error | OpenAPI/Loading/ContractLoader.swift
            A document is not OpenAPI 3.0, 3.1 or 3.2.
        contract/wrong-reference | error | OpenAPI/Shapes/ShapeChecker.swift
            A reference leads to an object of the wrong kind.
        contract/wrong-type | error | OpenAPI/Shapes/ShapeChecker.swift
            A value in a document has the wrong type.
        contract/yaml | error | OpenAPI/Loading/DocumentLibrary.swift
            A YAML document has a file name that ends with .json.
        expect/after | error | Rules/Evidence.swift
            An expected exchange did not follow another exchange.
        expect/before | error | Rules/Evidence.swift
            An expected exchange did not precede another exchange.
        expect/client | error | Rules/Evidence.swift
            A client reports a fact about itself that differs from the story's expectation.
        expect/count | error | Rules/Evidence.swift
            Exchanges occurred more or fewer times than expected.
        expect/exit | error, warning | Rules/Evidence.swift
            A command ended with an unexpected exit code.
        expect/failed-handshakes | error, warning | Rules/Verdict.swift
            The TLS handshakes of a client failed, so the client sent no request and could not be judged.
        expect/gap | error | Rules/Evidence.swift
            The time between two exchanges differs from the expected time.
        expect/items | error | Rules/Evidence.swift
            The stored items at the end differ from the expected items.
        expect/lost-exchanges | error, warning | Rules/Verdict.swift
            An expectation cannot be decided, because the journal does not contain all exchanges.
        expect/no-request | error, warning | Rules/Verdict.swift
            No request arrived, so the client could not be judged.
        expect/not-after | error | Rules/Evidence.swift
            An exchange followed another exchange, although the story forbids this order.
        expect/not-played | error, warning | Rules/Verdict.swift
            A part of the story was not played.
        expect/nothing-expected | error, warning | Rules/Verdict.swift
            A story expects nothing, so there is nothing to judge.
        expect/optional-part | note | Rules/Verdict.swift
            An optional part of the story was not played.
        expect/order | error | Rules/Evidence.swift
            Exchanges occurred in an unexpected order.
        expect/race-not-reached | error, warning | Rules/Verdict.swift
            A race that the story prepares did not take place.
        expect/rejected-certificate | error, warning | Rules/Verdict.swift
            The client rejected the certificate, so the client sent no request and could not be judged.
        expect/silent | error | Rules/Evidence.swift
            Requests arrived, although the story expects no requests.
        expect/state | error | Rules/Evidence.swift
            A state has an unexpected value at the end.
        expect/token | error | Rules/Evidence.swift
            A token is in an unexpected state at the end.
        expect/undecided-pattern | error, warning | Rules/ExpectationJudgements.swift
            A regular expression took too many steps.
        expect/unheard-client | error, warning | Rules/ExpectationJudgements.swift
            An expectation could not be decided, because TLS handshakes of the client failed.
        expect/unknown-fact | error, warning | Rules/Evidence.swift
            A client did not report a fact that the story expects.
        expect/within | error | Rules/Evidence.swift
            An exchange arrived too late.
        explore/nothing-tried | error | StoryRunning/Explore/ExploreObstacle.swift
            An exploration found nothing to vary.
        explore/problem | error | StoryRunning/Explore/ExploreBase.swift
            An exploration cannot begin.
        file/unreadable | error | Checking/Validate/SchemaLibrary.swift
            A file cannot be read.
        import/assumed | note | Checking/Traffic/BackendMaker.swift
            A part of an imported backend is a guess, or differs from the other tool.
        import/fixed-tokens | note | Checking/Traffic/Stubs/StubDraft.swift
            An imported route grants fixed tokens, so the backend accepts any token.
        import/left-out | note | Checking/Traffic/BackendMaker.swift
            A part of a file from another tool was not imported.
        import/refused | error | Checking/Traffic/BackendDraft+Checking.swift
            An imported backend would not be valid, so nothing was written.
        init/no-route | warning | Checking/Init/ScenarioDrafter.swift
            An operation receives no route in the new backend.
        init/no-token | note | Checking/Init/SchemeCarriers.swift
            A security scheme receives no token kind in the new backend.
        json/duplicate-name | warning | JSON/JSONParser.swift
            A name is repeated in an object.
        json/syntax | error | JSON/JSONSyntaxError.swift
            A file is not valid JSON.
        prove/build | error | ProgramInterface/Prove/Proof.swift
            A revision of a client cannot be built.
        prove/interrupted | error | ProgramInterface/Prove/Proof.swift
            A proof was interrupted.
        prove/no-change | error | ProgramInterface/Prove/Proof.swift
            Two revisions of a client contain the same files.
        prove/not-reproduced | error | ProgramInterface/Prove/ProofJudgement.swift
            A client does not violate the rule before a change.
        prove/not-run | error | ProgramInterface/Prove/Proof.swift
            A story cannot be run with a revision of a client.
        prove/receipt | error, note | ProgramInterface/Prove/Receipt.swift
            A receipt does not match the revisions, stories or program.
        prove/repository | error | ProgramInterface/Prove/GitRepository+Revisions.swift
            A client's repository or revision cannot be used.
        prove/signs-out | error | ProgramInterface/Prove/ProofJudgement.swift
            After a change, a client signs the user out.
        prove/skips | error | ProgramInterface/Prove/ProofJudgement.swift
            After a change, a client skips a part of a story.
        prove/still-fails | error | ProgramInterface/Prove/ProofJudgement.swift
            A client still fails after a change.
        prove/undecided | error | ProgramInterface/Prove/ProofJudgement.swift
            After a change, the rule cannot be decided.
        prove/waits | error, warning | ProgramInterface/Prove/ProofJudgement.swift
            After a change, a client pauses longer than before, for no reason in a response.
        prove/worse | error | ProgramInterface/Prove/ProofJudgement.swift
            A change makes a client fail elsewhere.
        report/journal | error | backlot/ReportCommand.swift
            A journal cannot be read.
        responses/adapted-twice | error | ClientTesting/Responses/ResponseCheckResult.swift
            An operation is repeated in an adapter.
        responses/crash | error | ClientTesting/Responses/ResponseCheckResult.swift
            A client ended the whole process.
        responses/hang | error | ClientTesting/Responses/ResponseCheckResult.swift
            A call never ends, although no request or pause is pending.
        responses/left-over | warning | ClientTesting/Responses/ResponseCheckResult.swift
            Work continues after a call has ended.
        responses/loop | error | ClientTesting/Responses/ResponseCheckResult.swift
            A call sends requests or pauses endlessly.
        responses/no-adapter | error | ClientTesting/Responses/ResponseCheckResult.swift
            An operation in the contract is neither in the adapter nor excluded with a reason.
        responses/no-client | error | ClientTesting/Responses/ResponseCheckResult.swift
            An adapter could not create a client.
        responses/no-operation | error | ClientTesting/Responses/ResponseCheckResult.swift
            An operation in an adapter is not in the contract.
        responses/no-request | error | ClientTesting/Responses/ResponseCheckResult.swift
            A call sends no request.
        responses/not-replayed | error | ClientTesting/Responses/ResponseCheckResult.swift
            A call is not repeated with the new token.
        responses/refused-response | error | ClientTesting/Responses/ResponseCheckResult.swift
            A documented success is treated as a failure.
        responses/request | error | ClientTesting/Responses/ResponseCheckResult.swift
            A client sends a request that the contract does not allow.
        responses/sent-twice | error | ClientTesting/Responses/ResponseCheckResult.swift
            A request was repeated although the server may have processed it.
        responses/session-lost | error | ClientTesting/Responses/ResponseCheckResult.swift
            A session ended without a reason.
        responses/tokens-changed | error | ClientTesting/Responses/ResponseCheckResult.swift
            The stored tokens differ from the tokens that the server granted.
        responses/wrong-operation | error | ClientTesting/Responses/ResponseCheckResult.swift
            A call sends the request of another operation.
        responses/wrong-success | error | ClientTesting/Responses/ResponseCheckResult.swift
            A failure is treated as a success.
        run/no-story | error, note | StoryRunning/Playing/StorySelection.swift
            A file or folder contains no story.
        run/nothing-expected | error | StoryRunning/Playing/StorySelection.swift
            A story expects nothing, so a run cannot judge it.
        run/unknown-story | error | StoryRunning/Playing/StorySelection.swift
            No given file contains a story with this id.
        scenario/bad-items | error | ScenarioFormat/Objects/ItemCollection.swift
            The items of a collection are not objects, or their ids are not distinct.
        scenario/bad-name | error | ScenarioFormat/Shapes/ShapeChecker.swift
            A name contains characters that are not allowed in it.
        scenario/bad-pattern | error | ScenarioFormat/Objects/Matcher.swift
            A regular expression is malformed.
        scenario/bad-range | error | ScenarioFormat/Objects/Latency.swift
            The limits of a range are in the wrong order.
        scenario/bad-route | error | ScenarioFormat/Shapes/ShapeChecker.swift
            A route does not consist of a method and a path.
        scenario/bad-value | error | ScenarioFormat/Shapes/ShapeChecker.swift
            A scenario contains a value that the format does not allow.
        scenario/body-not-allowed | error | ScenarioFormat/Objects/StubResponse.swift
            A response has a body, but its status does not allow a body.
        scenario/broken-silence | error | ScenarioFormat/Loading/ScenarioBuilder+Parts.swift
            A silent story expects a request.
        scenario/circular-extends | error | ScenarioFormat/Loading/ChainReader.swift
            Files extend one another in a cycle.
        scenario/close-code | error | ScenarioFormat/Objects/WebSocketScript.swift
            A WebSocket cannot be closed with this code.
        scenario/contract | error | ScenarioFormat/Loading/ScenarioBuilder+Parts.swift
            The contract that a scenario names cannot be read.
        scenario/contradiction | error | ScenarioFormat/Loading/ScenarioBuilder+Contradictions.swift
            Two expectations in a story contradict each other, so no client can meet both.
        scenario/embed-circle | error | ScenarioFormat/Loading/ScenarioBuilder.swift
            Collections embed one another in a cycle.
        scenario/equal-tokens | note | ScenarioFormat/Objects/TokenRules.swift
            Two tokens of a kind that rotates can be equal.
        scenario/fixture | error | ScenarioFormat/Loading/ScenarioBuilder.swift
            A fixture cannot be read.
        scenario/foreign-kind | error | ScenarioFormat/Objects/TokenRequirement.swift
            A scenario treats a token from another server as the backend's own token.
        scenario/held-response | error | ScenarioFormat/Objects/Gate.swift
            Held requests wait for a response that is also held.
        scenario/idle-event | error | ScenarioFormat/Objects/StreamPush.swift
            An event sends nothing.
        scenario/idle-fault | warning | ScenarioFormat/Objects/Fault.swift
            A fault never occurs.
        scenario/idle-key | error, warning | ScenarioFormat/Loading/ScenarioBuilder.swift
            A key has no effect here.
        scenario/idle-null | warning | ScenarioFormat/Shapes/ShapeMerger.swift
            A null removes nothing, because the extended file has no such key.
        scenario/idle-state | warning | ScenarioFormat/Loading/ScenarioBuilder.swift
            A value of a state is never set and never used.
        scenario/impossible-tls | error | StubServing/Library/ScenarioPreparation.swift
            The server cannot create a certificate that a scenario defines.
        scenario/inherited-after-last | error | ScenarioFormat/Loading/ScenarioBuilder+Routes.swift
            An inherited "afterLast" would hide the cases of a route.
        scenario/launch-order | error | ScenarioFormat/Objects/Event+Keys.swift
            The launches are not numbered consecutively.
        scenario/managed-field | error | ScenarioFormat/Objects/StubResponse.swift
            A scenario sets a header field that the server manages.
        scenario/misplaced-event | error | ScenarioFormat/Objects/Event+Keys.swift
            An event is allowed only in "timeline".
        scenario/missing-file | error | ScenarioFormat/Loading/ChainReader.swift
            A file that a scenario names does not exist.
        scenario/missing-key | error | ScenarioFormat/Shapes/ShapeChecker.swift
            An object lacks a key that the format requires.
        scenario/missing-root | error | StubServing/Library/ScenarioLibrary.swift
            The folder set with --root does not exist.
        scenario/no-caller | error | ScenarioFormat/Objects/Event+Keys.swift
            An event refers to the caller, but no request causes the event.
        scenario/no-own-response | error | ScenarioFormat/Loading/ScenarioBuilder+Routes.swift
            A route falls back to its own response, but does not define one.
        scenario/no-request | error | ScenarioFormat/Objects/ItemChange.swift
            An event uses a selection, but no request causes the event.
        scenario/no-stream | error | ScenarioFormat/Objects/StreamPush.swift
            An event is sent to a route without a stream.
        scenario/no-upload | warning | ScenarioFormat/Loading/ScenarioBuilder.swift
            A response shows files from a collection that receives no uploads.
        scenario/no-upstream | warning | ScenarioFormat/Objects/StubResponse.swift
            A response is forwarded, but the scenario does not name an upstream.
        scenario/outside-root | error | ScenarioFormat/Loading/ChainReader.swift
            A file is outside the project folder.
        scenario/overrun-history | error | ScenarioFormat/Objects/EventTime.swift
            The history of a story continues beyond its start.
        scenario/placeholder | error | ScenarioFormat/Loading/ChainReader.swift
            A placeholder is malformed or not allowed in this place.
        scenario/placeholder-name | warning | ScenarioFormat/Loading/TemplateParser.swift
            A name contains a placeholder, but placeholders are expanded only in values.
        scenario/requires-tls | warning | StubServing/Library/ScenarioPreparation.swift
            A scenario that defines "tls" is served over plain HTTP.
        scenario/reserved-name | error | ScenarioFormat/Objects/Event+Keys.swift
            A name is reserved for another meaning.
        scenario/rival-keys | error | ScenarioFormat/Shapes/ShapeChecker.swift
            Two keys in an object cannot be combined.
        scenario/same-field | error | ScenarioFormat/Objects/StubResponse.swift
            Two names refer to the same header field.
        scenario/same-name | error | ScenarioFormat/Objects/Gate.swift
            Two objects have the same name.
        scenario/same-route | error | ScenarioFormat/Loading/ScenarioBuilder+Routes.swift
            Two routes match the same requests.
        scenario/several-backends | error | StubServing/Library/ScenarioLibrary.swift
            The project contains several backends, and the command does not specify one.
        scenario/token-not-granted | warning | ScenarioFormat/Objects/StubResponse.swift
            A response shows a token that it does not grant.
        scenario/too-many-faults | error | StubServing/Sessions/HostedSession.swift
            A session has as many armed faults as it allows.
        scenario/unknown-device | warning | ScenarioFormat/Loading/ScenarioBuilder.swift
            No device with this name signs in.
        scenario/unknown-key | error | ScenarioFormat/Shapes/ShapeChecker.swift
            An object contains a key that the format does not define.
        scenario/unknown-launch | error | ScenarioFormat/Objects/ExchangePattern.swift
            An expectation refers to a launch that does not exist.
        scenario/unknown-member | warning | ScenarioFormat/Loading/ChainReader.swift
            No item in a collection contains this member.
        scenario/unknown-name | error | ScenarioFormat/Loading/ScenarioBuilder.swift
            A name refers to something that the scenario does not declare.
        scenario/unknown-story | error | StubServing/Library/ScenarioLibrary.swift
            There is no story with this id.
        scenario/unknown-variant | error | ScenarioFormat/Loading/ScenarioLoader.swift
            The story does not define a variant with this name.
        scenario/unordered-history | error | ScenarioFormat/Objects/EventTime.swift
            The history of a story is not in chronological order.
        scenario/unreachable-state | error, warning | ScenarioFormat/Loading/ScenarioBuilder.swift
            A state never has the value that a condition requires.
        scenario/unreadable-file | error | ScenarioFormat/Loading/ChainReader.swift
            A file cannot be read.
        scenario/unusual-method | warning | ScenarioFormat/Loading/ScenarioBuilder+Routes.swift
            A method is not a standard method.
        scenario/upstream | error, warning | Proxying/Forwarder.swift
            The upstream cannot be reached in the way that the command supports.
        scenario/wrong-type | error | ScenarioFormat/Shapes/ShapeChecker.swift
            A value has the wrong type.
        schema/* | error | backlot/ValidateCommand.swift
            A value does not match a schema; the rest of the id names the keyword.
        schema/no-verdict | error | backlot/ValidateCommand.swift
            A value could not be validated within the limits for steps and depth.
        serve/no-listener | error | StubServing/StubHandler+Reloading.swift
            The system does not allow another listener for an origin.
        stories/outdated-table | error | Checking/Stories/ShownStories.swift
            The table of stories in a document is out of date.
        stories/unreadable-file | error | Checking/Stories/ShownStories.swift
            A document with a table of stories cannot be read.
        story/incomplete | error | Reports/Stories/PlayedStory.swift
            A part of a story could not be judged.
        story/missing | error | BacklotTestServer/Stories/StoryProblem.swift
            There is no story with this name.
        story/no-flow | error | StoryRunning/Clients/ClientEnd.swift
            No flow plays a story.
        story/requires-tls | error | StubServing/Library/ScenarioPreparation.swift
            A story that defines "tls" cannot be played over plain HTTP.
        test/* | error | ClientTesting/Testing/ClientTest.swift
            Some of a client's tests could not be run.
        traffic/duplicate-name | warning | Simulation/Session/Session+Committing.swift
            A name is repeated in a body.
        traffic/several-tokens | note | Simulation/Session/Session+Committing.swift
            A request contains different tokens of the same kind.
        traffic/undecodable-body | warning | Simulation/Session/Session+Committing.swift
            The content coding of a request body cannot be undone.
        traffic/unreadable-form | warning | Simulation/Session/Session+Committing.swift
            The parts of a form cannot be read.
        traffic/unverified-token | note | Simulation/Session/Session+Committing.swift
            A request contains a token that this server did not sign.
        variants/accepted-illegal | error | ClientTesting/Variants/VariantCheckResult.swift
            A client accepts a response that the contract forbids.
        variants/broken-request | error | ClientTesting/Variants/VariantCheckResult.swift
            A change to the contract made a request invalid.
        variants/changed-value | error | ClientTesting/Variants/VariantCheckResult.swift
            A client returns a value that differs from the received value.
        variants/evolution | warning | ClientTesting/Variants/VariantCheckResult.swift
            A client rejects a response that the next version of the server may send.
        variants/idle-drop | warning | ClientTesting/Variants/VariantCheckResult.swift
            An exception for a client is not needed.
        variants/not-sent | error | ClientTesting/Variants/VariantCheckResult.swift
            A call does not send the request of its operation.
        variants/refused-variant | error | ClientTesting/Variants/VariantCheckResult.swift
            A client rejects a response that the contract allows.
        variants/wrong-success | error | ClientTesting/Variants/VariantCheckResult.swift
            A failure with an unknown status is treated as a success.
        verify/base-path | warning | Checking/Verify/VerificationRun.swift
            Every response from a server had status 404, so the base path is probably missing.
        verify/content-coding | error | Checking/Verify/VerifiedOperation.swift
            A response body does not use the coding that Content-Encoding declares.
        verify/forbidden-bytes | error | Checking/Verify/VerifiedOperation.swift
            A server sends bytes after a response, or a body where HTTP allows none.
        verify/format | note | Checking/Verify/ResponseJudge.swift
            A value in a response does not match its format.
        verify/invalid-accepted | warning | Checking/Verify/VerifiedOperation.swift
            A server accepted a request with a parameter that the contract does not allow.
        verify/invalid-failed | error | Checking/Verify/VerifiedOperation.swift
            A server failed with 5xx when a parameter was invalid.
        verify/malformed-response | error | Checking/Verify/VerifiedOperation.swift
            A response is not valid HTTP.
        verify/no-response | error | Checking/Verify/VerifiedOperation.swift
            A server sent no response.
        verify/not-judged | warning | Checking/Verify/VerificationRun.swift
            Operations were not judged.
        verify/optional-refused | note | Checking/Verify/VerifiedOperation.swift
            A server refused generated values for optional parameters with an undocumented status.
        verify/redirect-loop | error | Checking/Verify/VerifiedOperation.swift
            A server redirects too many times in a row.
        verify/redirected-away | error | Checking/Verify/VerifiedOperation.swift
            A server redirects to another server.
        verify/refused | warning | Checking/Verify/VerifiedOperation.swift
            A server refused a request, so no successful response was judged.
        verify/server-error | error | Checking/Verify/VerifiedOperation.swift
            A server failed with a status that the contract documents only as default.
        verify/stopped | error | Checking/Verify/VerificationRun.swift
            The verification ended early.
        verify/unprotected | error | Checking/Verify/VerifiedOperation.swift
            A server accepted a request without the required credentials.
        verify/write-only | warning | Checking/Verify/ResponseJudge.swift
            A response contains a write-only value.
        yaml/syntax | error | JSON/JSONSyntaxError.swift
            A file is not valid YAML.
        """
}

extension Substring {
    fileprivate var trimmingSpaces: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
