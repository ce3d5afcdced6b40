// What following streams costs at the least: undici and eventsource-parser, and nothing behind them. Its
// arguments are the platform's address and how many streams.
import {createParser} from 'eventsource-parser'
import {Agent} from 'undici'

const [, , origin = '', count = '0'] = process.argv
const agent = new Agent({connections: null, bodyTimeout: 0})
let frames = 0

async function follow(index: number): Promise<void> {
  const {body} = await agent.request({
    origin,
    path: `/api/v1/threads/thread-${index}/stream`,
    method: 'GET',
    headers: {'last-event-id': 'c0'},
  })
  const parser = createParser({onEvent: () => (frames += 1)})
  const decoder = new TextDecoder()
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(chunk, {stream: true}))
  }
}

for (let index = 0; index < Number(count); index += 1) {
  void follow(index)
  if (index % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 100))
}
console.log('ready')
process.on('SIGTERM', () => {
  console.log(`${frames} frames`)
  process.exit()
})
