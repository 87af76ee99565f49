def baseline(xs, ys):
    return sum(ys) / len(ys)


def rung6(xs, ys):
    total = sum(x * y for x, y in zip(xs, ys))
    return total / sum(x * x for x in xs)


def rung7(xs, ys):
    # TODO: the real fit
    return baseline(xs, ys)


RUNGS = {"rung6": rung6, "rung7": rung7}
