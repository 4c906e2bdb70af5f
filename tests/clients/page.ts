import type { ClientSetup } from '../../src/surfaces/mcp/client-setup.ts'
import type { Client, Connection } from './client.ts'
import type { Screen } from './play.ts'

export type PlayedTask = readonly [title: string, screens: readonly Screen[]]
type Played = readonly [connection: Connection, tasks: readonly PlayedTask[]]

/** The page about a client: what is known of it, then every screen. */
export const pageOf = (client: Client, played: readonly Played[]): string =>
  [
    `# ${client.name} ${client.version}`,
    `What a person sees who works with Toolwright in ${client.name}, in a terminal of 100 columns. \`npm run clients\` plays it and writes this page: \`${client.package}\` from npm, our built server, and a fake model on loopback that follows a script. It fails unless files and model get what they should. Paths, times and ids are normalised.`,
    client.findings.map(finding => `- ${finding}`).join('\n'),
    ...played.flatMap(([connection, tasks]) => [
      `## ${connection.title}`,
      connection.about,
      ...connection.setup.map(setupBlock),
      ...tasks.flatMap(([title, screens]) => [
        `### ${title}`,
        ...screens.flatMap(({ sentence, shown }) => [sentence, `\`\`\`text\n${shown}\n\`\`\``]),
      ]),
    ]),
  ].join('\n\n') + '\n'

const setupBlock = ({ file, text }: ClientSetup): string =>
  file === undefined ? `\`\`\`sh\n${text}\n\`\`\`` : `\`${file}\`:\n\n\`\`\`text\n${text}\n\`\`\``
