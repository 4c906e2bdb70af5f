/** Reports whether a file is a test file by its name. */
export const isTestPath = (path: string): boolean =>
  /(^|\/)(__tests__|tests?|specs?)\/|[.-](test|spec|bench)\.[cm]?[jt]sx?$/i.test(path)

/** Reports whether a file is named as a runner of tests wants it. */
export const isTestNamed = (path: string): boolean =>
  /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.\w+$|[.-](?:test|spec)\.[cm]?[jt]sx?$/i.test(path)

/** Reports whether a text has tests that a runner finds. */
export const hasTests = (text: string): boolean =>
  /\b(?:test|it|describe|suite)(?:\.\w+)*\s*\(|^[ \t]*(?:async\s+)?def\s+test_/m.test(text)
