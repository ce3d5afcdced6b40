import {expect, test} from 'vitest'
import {createMayLeadHere} from '../../../src/features/unfurls/may-lead-here.ts'
import {newLink, place, temporaryStore} from '../../store/temporary-store.ts'

const webUrl = 'https://app.example.com/t/{threadId}'

test('nothing is written down of links that lead nowhere here', async () => {
  const store = await temporaryStore()
  const {id} = await store.links.open(newLink, 0)
  await store.links.change(id, {pullRequest: 'https://github.com/acme/web/pull/12'})
  const may = createMayLeadHere({...store, webUrl})
  const {team} = place
  const leads = (urls: string[], of = team) =>
    may({team: of, channel: 'C1', ts: '1.0', urls, isShared: false, eventId: 'Ev1'})
  expect(await leads(['https://github.com/acme/web/pull/13'])).toBe(false)
  expect(await leads(['https://github.com/acme/web', 'https://other.test/'])).toBe(false)
  expect(await leads([])).toBe(false)
  expect(await leads(['https://github.com/acme/web/pull/12/files'])).toBe(true)
  expect(await leads(['https://github.com/acme/web/pull/12'], 'T0OTHER')).toBe(false)
  // Of what looks like work nobody has looked yet whether it is there.
  expect(await leads(['https://other.test/', 'https://app.example.com/t/nobody'])).toBe(true)
})
