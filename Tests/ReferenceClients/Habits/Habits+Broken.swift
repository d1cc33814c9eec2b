extension Habit {
    /// Clients with one bug each, which is what the rules have to name first.
    package static func broken() throws(Problem) -> [Habit] { try table(bugs) }

    private static let bugs = """
        refused, and nothing follows      | never-refreshes / never-refreshes serial | expired | GET /me & GET /notes ; GET /feed | B1
        refused, and the user is out      | signs-out-when-refused  | expired | GET /me & GET /notes | B1
        renewed the first time alone      | refreshes-once          | expired | GET /me ; wait 2h ; GET /me ; GET /me | B1
        renewed the first time alone, without rotation | refreshes-once | without-rotation | GET /me ; wait 2h ; GET /me | B1
        each refusal has its own refresh  | unshared / unshared in-order | without-rotation | GET /me & GET /notes & GET /feed & GET /profile | B2
        the same where they rotate        | unshared                | grace   | GET /me & GET /notes & GET /feed & GET /profile | B2
        refreshes until it is let in      | loops / loops gate      | vain-refresh | GET /me | B3
        offers its first refresh token    | keeps-old-token         | expired | GET /me ; wait 2h ; GET /me | B4
        its first one within the grace    | keeps-old-token         | lost-refresh | GET /me ; wait 2h ; GET /me | B4
        stores no new tokens              | stores-nothing / stores-no-refresh-token | expired | GET /me ; launch ; wait 2h ; GET /feed | B5
        a lost response signs out         | signs-out-when-lost     | lost-refresh | GET /me & GET /notes | B6
        refused requests are dropped      | drops-refused           | expired | POST /notes hello & GET /me ; GET /feed | B7
        refused writes are dropped        | drops-writes            | expired | POST /notes hello & GET /me | B7
        a refused mutation is dropped     | drops-writes            | graphql | mutation Save 1 ; mutation Save 2 | B7
        bodies are dropped                | drops-body              | expired | POST /notes hello & GET /me | B7
        refused requests are sent twice   | repeats-twice           | expired | POST /notes hello | B7
        errors of another kind refresh    | refreshes-on-errors     | fresh   | GET /admin & GET /me ; GET /broken | B8
        an outage signs out               | signs-out-when-busy     | busy-refresh | GET /me & GET /notes | B9
        a limit signs out                 | signs-out-when-busy     | limited-refresh | GET /me & GET /notes | B9
        a broken connection signs out     | signs-out-when-lost     | broken-refresh | GET /me & GET /notes | B9
        goes on when the session is over  | goes-on                 | over    | GET /me & GET /notes ; GET /feed | B10
        tries a dead refresh token again  | tries-again             | over    | GET /me & GET /notes | B10
        goes by a clock that is wrong     | fast-clock exp          | fresh   | GET /me ; wait 1m ; GET /notes ; wait 1m ; GET /feed | B11
        counts from the response          | counts-from-response    | late-refresh | GET /me ; wait 30s ; GET /notes ; wait 61s ; GET /feed | B12
        takes the longer lifetime         | later-lifetime          | two-lifetimes | GET /me ; wait 15m ; GET /notes ; wait 130m ; GET /feed | B13
        keeps the header of who was there | keeps-first-header      | fresh   | GET /me ; out ; in bob ; GET /notes & GET /feed | B14
        a queue keeps old headers         | stale-queue             | expired | GET /me & GET /notes & GET /feed | B15
        the refresh carries a dead bearer | bearer-on-refresh       | expired | GET /me & GET /notes | B16
        a limit is ignored                | ignores-retry-after     | limited | GET /notes | B17
        a limit after a burst is ignored  | ignores-retry-after     | limited | GET /notes & GET /me & GET /feed & GET /profile | B17
        a limit of refreshes is ignored   | ignores-retry-after     | limited-refresh | GET /me & GET /notes | B17
        another server gets the token     | tokens-elsewhere        | pictures | GET /me > picture 1 | B18
        an upload begins again            | starts-upload-again     | upload  | upload /files/1 | B19
        the wrong token for a refresh     | sends-access-to-refresh | expired | GET /me & GET /notes | B20
        the wrong token for a resource    | sends-refresh-to-resources | fresh | GET /me & GET /notes | B20
        a guest goes on                   | falls-back-to-guest     | over    | GET /me & GET /notes | B21
        the last one in place of each     | repeats-last            | expired | GET /me & GET /notes & GET /feed & GET /profile | B22
        a conflict signs out              | signs-out-on-conflict   | conflict | GET /me ; refresh | B23
        two processes refresh             | two-processes without-lock | expired | GET /me ; GET /feed | B24
        the loser erases the store        | two-processes erases-store | expired | GET /me ; GET /feed | B24 B25
        a locked store is taken for empty | unreadable-is-empty     | fresh   | GET /me ; launch locked ; GET /feed | B26
        renews before each call           | long-lead               | short-and-fresh | GET /me ; GET /notes ; GET /feed ; GET /profile ; POST /notes hello | B27
        renews before each screen         | long-lead               | short-and-fresh | GET /me & GET /notes ; GET /feed & GET /profile ; GET /me & GET /notes ; GET /feed & GET /profile ; GET /me & GET /notes | B27
        one failure, and never again      | gives-up-refreshing     | busy-refresh | GET /me ; wait 400s ; GET /notes ; wait 60s ; GET /feed ; wait 60s ; GET /profile | B28
        the text of an optional value     | optional-text           | expired | GET /me ; GET /notes | B29
        the scheme twice                  | scheme-twice            | expired | GET /me ; GET /notes | B29
        no scheme                         | without-scheme          | expired | GET /me ; GET /notes | B29
        undefined                         | undefined-text          | expired | GET /me ; GET /notes | B29
        null                              | null-text               | expired | GET /me ; GET /notes | B29
        nothing after the scheme          | empty-token             | expired | GET /me ; GET /notes | B29
        no header at all                  | without-token           | expired | GET /me ; GET /notes | B29
        no header after the sign-in       | without-token           | over    | GET /me =none ; in ann ; GET /me & GET /notes | B29
        the token is cut                  | cut-token               | expired | GET /me ; GET /notes | B29
        the token in Base64               | base64-token            | expired | GET /me ; GET /notes | B29
        an encoded token                  | percent-token           | expired | GET /me ; GET /notes | B29
        undefined for the refresh         | undefined-refresh       | expired | GET /me ; GET /notes | B29

        """
}
