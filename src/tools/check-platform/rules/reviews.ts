import {fieldsOf} from '../asking.ts'
import type {Probe} from '../probe.ts'
import {Untried, expect, expectRefusal, expectSomeRefusal, tell} from '../verdicts.ts'
import {type Rule, shared} from './rule.ts'

const round = shared(async (probe: Probe) => {
  const {pullRequest, newId, post, shapes, litter} = probe
  if (pullRequest === undefined) throw new Untried('name a pull request with --pull-request')
  const order = {...pullRequest, idempotencyKey: newId()}
  const made = await post('/reviews', order)
  shapes.look('reviewRound', made)
  if (made['adopted'] === false) litter.thread(made['threadId'])
  return {order, made}
})

/** Section 4.8. A rule, once made, cannot be taken back through the API: none is made. */
export const reviewRules: readonly Rule[] = [
  {
    section: '4.8',
    name: 'the review of a repository that is not covered is refused',
    bosun: '`/review` says that it began',
    check: async ({ask, newId}) => {
      const body = {repo: 'check-platform/absent', prNumber: 1, idempotencyKey: newId()}
      expectSomeRefusal(await ask('POST', '/reviews', {body}))
    },
  },
  {
    section: '4.8',
    name: 'a review without a pull request answers InvalidRequest',
    bosun: 'a form cannot say what is wrong',
    check: async ({ask}) =>
      expectRefusal(
        await ask('POST', '/reviews', {body: {repo: 'check-platform/absent'}}),
        'InvalidRequest',
      ),
  },
  {
    section: '3.6',
    name: 'a repeated start answers the same round',
    bosun: 'a lost answer makes two reviews, which both cost',
    check: async (probe) => {
      const {order, made} = await round(probe)
      const again = await probe.post('/reviews', order)
      expect(`the round ${String(made['reviewId'])}`, again['reviewId'] === made['reviewId'], again)
      const other = await probe.post('/reviews', {...order, idempotencyKey: probe.newId()})
      expect('the same round for the same code', other['reviewId'] === made['reviewId'], other)
      expect('adopted true', other['adopted'] === true, other['adopted'])
    },
  },
  {
    section: '4.8',
    name: 'the rules of the review filter are listed',
    bosun: '`/review filters` shows nothing',
    check: async ({get, shapes}) => {
      const {rules} = await get('/review-filters/rules')
      expect('a list of rules', Array.isArray(rules), rules)
      for (const rule of rules as unknown[]) shapes.look('filterRule', rule)
    },
  },
  {
    section: '4.8',
    name: 'deleting an absent filter rule deletes nothing',
    bosun: '[Delete] in `/review filters` says that something is gone',
    check: async ({ask}) => {
      const answer = await ask('DELETE', '/review-filters/rules/check-platform-absent')
      if (answer.status >= 400 && answer.status < 500) return
      const {deleted} = fieldsOf(answer.body)
      expect('deleted false, or a refusal', answer.status < 300 && deleted === false, tell(answer))
    },
  },
  {
    section: '4.8',
    name: 'declining an offer that is not there is refused',
    bosun: '`/review billing decline` says that it was declined',
    check: async ({ask}) =>
      expectSomeRefusal(
        await ask('POST', '/review-billing-transfer/decline', {
          body: {repo: 'check-platform/absent'},
        }),
      ),
  },
]
