/** The command's home directory, in its private /tmp and removed with it. */
export const HOME = '/tmp/home'

/** Directory of our own files inside. */
export const OWN = '/run/toolwright'

/** Port on the command's 127.0.0.1 that leads to our proxy. */
export const PROXY_PORT = 3128
