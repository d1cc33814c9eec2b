extension FindingKind {
    /// Findings about scenarios, stories and runs, and about other files.
    ///
    /// Two lines for each: id, severities and file; sentence.
    static let scenarios = """
        baseline/no-longer-fails | error | Checking/Baseline/Baseline.swift
            A failure in the baseline no longer occurs.
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
        json/duplicate-name | warning | JSON/JSONDocument.swift
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
        scenario/broken-silence | error | ScenarioFormat/Loading/ScenarioBuilder.swift
            A silent story expects a request.
        scenario/circular-extends | error | ScenarioFormat/Loading/ChainReader.swift
            Files extend one another in a cycle.
        scenario/close-code | error | ScenarioFormat/Objects/WebSocketScript.swift
            A WebSocket cannot be closed with this code.
        scenario/contract | error | ScenarioFormat/Loading/ScenarioBuilder.swift
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
        scenario/idle-state | warning | ScenarioFormat/Loading/ScenarioNotes.swift
            A value of a state is never set and never used.
        scenario/impossible-tls | error | StubServing/Library/ScenarioPreparation.swift
            The server cannot create a certificate that a scenario defines.
        scenario/inherited-after-last | error | ScenarioFormat/Objects/ResponseSequence.swift
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
        scenario/no-own-response | error | ScenarioFormat/Objects/ResponseSequence.swift
            A route falls back to its own response, but does not define one.
        scenario/no-request | error | ScenarioFormat/Objects/ItemChange.swift
            An event uses a selection, but no request causes the event.
        scenario/no-stream | error | ScenarioFormat/Objects/StreamPush.swift
            An event is sent to a route without a stream.
        scenario/no-upload | warning | ScenarioFormat/Objects/ResponseBody.swift
            A response shows files from a collection that receives no uploads.
        scenario/no-upstream | warning | ScenarioFormat/Objects/StubResponse.swift
            A response is forwarded, but the scenario does not name an upstream.
        scenario/outside-root | error | ScenarioFormat/Loading/ChainReader.swift
            A file is outside the project folder.
        scenario/overrun-history | error | ScenarioFormat/Objects/EventTime.swift
            The history of a story continues beyond its start.
        scenario/placeholder | error | ScenarioFormat/Loading/TemplateParser.swift
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
        scenario/unknown-device | warning | ScenarioFormat/Loading/ScenarioNotes.swift
            No device with this name signs in.
        scenario/unknown-key | error | ScenarioFormat/Shapes/ShapeChecker.swift
            An object contains a key that the format does not define.
        scenario/unknown-launch | error | ScenarioFormat/Objects/ExchangePattern.swift
            An expectation refers to a launch that does not exist.
        scenario/unknown-member | warning | ScenarioFormat/Loading/ItemMembers.swift
            No item in a collection contains this member.
        scenario/unknown-name | error | ScenarioFormat/Loading/ScenarioBuilder.swift
            A name refers to something that the scenario does not declare.
        scenario/unknown-story | error | StubServing/Library/ScenarioLibrary.swift
            There is no story with this id.
        scenario/unknown-variant | error | ScenarioFormat/Loading/ScenarioLoader.swift
            The story does not define a variant with this name.
        scenario/unordered-history | error | ScenarioFormat/Objects/EventTime.swift
            The history of a story is not in chronological order.
        scenario/unreachable-state | error, warning | ScenarioFormat/Loading/ScenarioNotes.swift
            A state never has the value that a condition requires.
        scenario/unreadable-file | error | ScenarioFormat/Loading/ChainReader.swift
            A file cannot be read.
        scenario/unusual-method | warning | ScenarioFormat/Loading/RouteKey+Parsing.swift
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
        story/unknown | error | ClientTesting/Flows/FlowRun.swift
            A flow plays a story that does not exist.
        test/* | error | ClientTesting/Testing/ClientTest.swift
            Some of a client's tests could not be run.
        yaml/syntax | error | JSON/JSONSyntaxError.swift
            A file is not valid YAML.
        """
}
