import { EncodedValue } from '../../protocol/bson/encoded.ts'
import { BsonWriter } from '../../protocol/bson/writer.ts'
import { type Draw, type Write, createDrawContext } from '../../language/values/draw-context.ts'

/** Draws values by writing them. Their bytes count, as those of values that are drawn. */
export const encodedDraw =
  (write: Write, out: BsonWriter): Draw<EncodedValue> =>
  (moment) => {
    const { bytes } = moment
    const start = out.at
    const type = write(moment, out)
    moment.bytes = bytes + out.at - start
    return new EncodedValue(type, out, start, out.at)
  }

/** A value that is the same in all calls: written once, into a writer of its own. */
export function encodedConstant(write: Write): Draw<EncodedValue> {
  const made = encodedDraw(write, new BsonWriter(constantBytes))(createDrawContext())
  return (moment) => {
    moment.bytes += made.end - made.start
    return made
  }
}

/** Room for most constants; the writer grows for others. */
const constantBytes = 256
