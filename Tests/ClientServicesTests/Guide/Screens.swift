#if canImport(SwiftUI)
    import ClientServices
    import SwiftUI

    @available(macOS 14, iOS 17, *)
    struct WhipItView: View {
        let app: WhipItApp

        var body: some View {
            // A stack and no group, which would hand the task on to each screen.
            VStack {
                if let alert = app.alert {
                    Text(alert)
                    Button("Try again") { Task { await app.signOut() } }
                }
                switch app.screen {
                case .splash: ProgressView()
                case .signIn(let notice): SignInView(app: app, notice: notice)
                case .feed(let list): FeedView(app: app, list: list)
                }
            }
            .task { await app.run() }
        }
    }

    @available(macOS 14, iOS 17, *)
    struct SignInView: View {
        let app: WhipItApp
        let notice: String?
        @State private var email = ""
        @State private var password = ""
        @State private var isWaiting = false

        var body: some View {
            Form {
                TextField("E-mail", text: $email)
                SecureField("Password", text: $password)
                if let notice { Text(notice) }
                Button("Sign in") {
                    Task {
                        isWaiting = true
                        await app.signIn(email: email, password: password)
                        isWaiting = false
                    }
                }
                .disabled(isWaiting)
            }
        }
    }

    @available(macOS 14, iOS 17, *)
    struct FeedView: View {
        let app: WhipItApp
        let list: ScrollingList<WhipIt.Post>

        var body: some View {
            List {
                ForEach(list.items) { post in
                    Text(post.text ?? "")
                        .task { if post.id == list.items.last?.id { await list.loadMore() } }
                }
                if list.canTryAgain {
                    Button("Try again") { Task { await list.loadMore() } }
                } else if !list.isComplete {
                    ProgressView()
                }
                Button("Sign out") { Task { await app.signOut() } }
            }
            .task { if list.items.isEmpty { await list.loadMore() } }
            .refreshable { await list.reload() }
        }
    }
#endif
