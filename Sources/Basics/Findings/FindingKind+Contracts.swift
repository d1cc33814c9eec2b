extension FindingKind {
    /// Findings about contracts and traffic, and about files that are made from them.
    ///
    /// Two lines for each: id, severities and file; sentence.
    static let contracts = """
        autopsy/output | error | backlot/AutopsyCommand.swift
            A file of the captured story could not be written.
        autopsy/unknown-body | note | Checking/Traffic/CapturedSession+Contract.swift
            The body of a captured message was not recorded, so it was not judged.
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
        contract/misspelt-keyword | warning | OpenAPI/Shapes/SchemaVocabulary.swift
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
        contract/unknown-keyword | warning | OpenAPI/Shapes/SchemaVocabulary.swift
            A schema contains a keyword that has no effect in this OpenAPI version.
        contract/unknown-metaschema | error | JSONSchema/Compiling/SchemaCompiler.swift
            A schema names an unknown metaschema.
        contract/unknown-operation | error | OpenAPI/Shapes/ShapeChecker+Objects.swift
            A link names an operationId that no operation uses.
        contract/unknown-property | warning | OpenAPI/Lint/Contract+Lint.swift
            An encoding or a list of required properties names a property that the schema does not define.
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
        drift/field | error | Checking/Drift/ResponseDrift.swift
            A header field of a real response differs from that of the scenario's response.
        drift/not-compared | note | Checking/Drift/DriftResult.swift
            Real responses were not compared with the scenario, for the reason in the finding.
        drift/not-updated | warning | Checking/Drift/DriftUpdate.swift
            A response of the scenario differs from the real one and must be changed manually.
        drift/shape | error | Checking/Drift/ResponseDrift.swift
            The body of a real response has other members or types than the scenario's response.
        drift/status | error | Checking/Drift/ResponseDrift.swift
            The status of a real response differs from that of the scenario's response.
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
        responses/adapted-twice | error | ClientTesting/Responses/ResponseCheckResult.swift
            An operation is repeated in an adapter.
        responses/crash | error | ClientTesting/Responses/ResponseCheckResult.swift
            A client ended the whole process.
        responses/hang | error | ClientTesting/Responses/ResponseCheckResult.swift
            A call never ends, although no request or pause is pending.
        responses/idle-answer | warning | ClientTesting/Responses/ResponseCheckResult.swift
            A status that an adapter calls a result never leads to one.
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
        responses/session-kept | warning | ClientTesting/Responses/ResponseCheckResult.swift
            A client keeps its tokens although the server refused the refresh token.
        responses/session-lost | error | ClientTesting/Responses/ResponseCheckResult.swift
            A session ended without a reason.
        responses/tokens-changed | error | ClientTesting/Responses/ResponseCheckResult.swift
            The stored tokens differ from the tokens that the server granted.
        responses/undecoded-refusal | warning | ClientTesting/Responses/ResponseCheckResult.swift
            A client decodes an error response as a success, or cannot decode the documented error.
        responses/unknown-token | error | ClientTesting/Responses/ResponseCheckResult.swift
            A token of a session has a name that the client and the grants do not use.
        responses/wrong-operation | error | ClientTesting/Responses/ResponseCheckResult.swift
            A call sends the request of another operation.
        responses/wrong-success | error | ClientTesting/Responses/ResponseCheckResult.swift
            A failure is treated as a success.
        traffic/duplicate-name | warning | Simulation/Journal/Session+Journal.swift
            A name is repeated in a body.
        traffic/several-tokens | note | Simulation/Journal/Session+Journal.swift
            A request contains different tokens of the same kind.
        traffic/undecodable-body | warning | Simulation/Journal/Session+Journal.swift
            The content coding of a request body cannot be undone.
        traffic/unreadable-form | warning | Simulation/Journal/Session+Journal.swift
            The parts of a form cannot be read.
        traffic/unverified-token | note | Simulation/Journal/Session+Journal.swift
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
        """
}
