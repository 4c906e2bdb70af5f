/** Reports whether a file is a test file by its name. */
export const isTestPath = (path: string): boolean =>
  /(^|\/)(__tests__|tests?|specs?)\/|[.-](test|spec|bench)\.[cm]?[jt]sx?$/i.test(path)
