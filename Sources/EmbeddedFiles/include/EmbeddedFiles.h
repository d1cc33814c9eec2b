#ifndef BACKLOT_EMBEDDED_FILES_H
#define BACKLOT_EMBEDDED_FILES_H

#include <stddef.h>

/// The bytes of a file that is compiled into the program, which live as long as it.
///
/// C, because its compiler takes the bytes as they are (`#embed`). SwiftPM's `embedInCode` writes each as an element of an
/// array, which took the Swift compiler a fifth of the time of a build.
///
/// - Parameters:
///   - name: the file's own name, such as `page.html`, `recipes.md` or `draft-07.json`.
///   - count: how many there are.
/// - Returns: `NULL` where there is no such file.
const unsigned char *backlot_embedded_file(const char *name, size_t *count);

#endif
