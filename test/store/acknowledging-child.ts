// Adds rows to the inbox of the database that is named, and says each one's number once it is acknowledged.
import {openStore} from '../../src/store/store.ts'

const [path = '', from = '0'] = process.argv.slice(2)
const store = await openStore({path, sealingKeys: []})
const {id} = await store.links.open(
  {
    place: {team: 'T', channel: 'C', slackThread: '1.0'},
    requestId: 'r',
    projectId: 'p',
    startedBy: 'U',
  },
  0,
)
for (let number = Number(from); ; number += 1) {
  await Promise.all([
    store.inbox.add({key: String(number), lane: 'l', body: '{}'}, 0),
    store.links.change(id, {cursor: String(number)}),
  ])
  process.stdout.write(`${number}\n`)
}
