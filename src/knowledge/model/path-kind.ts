/** Reports whether a file is named as one of stories. */
export const isStoryPath = (path: string): boolean => /\.stories\.[^./]+$/.test(path)

/** Reports whether a file stands for its Python package: what it imports from there, it exports. */
export const isPackagePath = (path: string): boolean => /(^|\/)__init__\.pyi?$/.test(path)
