
import Testing

@Suite
struct `A check` {
}
