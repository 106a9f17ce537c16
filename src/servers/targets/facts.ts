import { z } from 'zod'

/** The one fact that columns compute with: $ per hour of the whole deployment, all members and disks. */
export const priceFact = 'pricePerHour'

/** The spec field for facts about a server that the server cannot report itself, such as its price in $ per hour. */
export const facts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .superRefine(({ [priceFact]: price }, context) => {
    if (price === undefined || price === null || (typeof price === 'number' && price > 0)) return
    const message = 'must be a number above 0: $ per hour (leave it out where nothing is known)'
    context.addIssue({ code: 'custom', path: [priceFact], message })
  })
  .default({})
  .describe(
    'What the server cannot report about itself (instance type, disk, IOPS), for columns of the report. Names are free; `pricePerHour` alone has a meaning: $ per hour of the whole deployment, from which columns per $ are computed.',
  )
