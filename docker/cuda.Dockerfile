# docker build -f docker/cuda.Dockerfile -t prunus-cuda . && docker run --rm --gpus all prunus-cuda solve ta056
# No CUDA toolkit is needed: NVRTC and the runtime come from their wheels, the driver from the host
# (NVIDIA Container Toolkit). Kernels are compiled at the first solve on the card that is there.
FROM python:3.13-slim
COPY . /src
RUN apt-get update && apt-get install --yes --no-install-recommends g++ \
    && pip install --no-cache-dir '/src[cuda13,plot,pandas]' && rm -rf /src \
    && apt-get purge --yes --auto-remove g++ && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home prunus
ENV NVIDIA_DRIVER_CAPABILITIES=compute,utility
USER prunus
WORKDIR /data
ENTRYPOINT ["prunus"]
