/** Reports whether a file is named as one of stories. */
export const isStoryPath = (path: string): boolean => /\.stories\.[^./]+$/.test(path)

/** Reports whether a file stands for its Python package: what it imports from there, it exports. */
export const isPackagePath = (path: string): boolean => /(^|\/)__init__\.pyi?$/.test(path)

/** The path of a module without its extension: that of its folder if the file stands for it. */
export const modulePath = (path: string): string => path.replace(/(\/__init__)?\.\w+$/, '')

/** Reports whether a file only declares what scripts have. */
export const isDeclarationPath = (path: string): boolean => /\.d\.[^./]*\.?[cm]?ts$/i.test(path)
