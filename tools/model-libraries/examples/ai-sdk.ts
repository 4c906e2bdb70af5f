import { openai } from '@ai-sdk/openai'
import { isStepCount, streamText } from 'ai'
import { openToolkit } from 'toolwright'
import { aiSdkTools } from 'toolwright/adapters'

const kit = await openToolkit({ root: '.' })
const tools = await aiSdkTools(kit)

const { text } = streamText({
  model: openai('gpt-5'),
  prompt: 'What does a.txt say?',
  tools,
  stopWhen: isStepCount(20),
})
console.log(await text)
await kit.close()
