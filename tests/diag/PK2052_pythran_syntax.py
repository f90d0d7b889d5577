# pythran export half(flaot)
def half(x):
    return x / 2
